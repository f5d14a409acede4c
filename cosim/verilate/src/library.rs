// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared libraries, loaded for as long as the program runs: the functions of a model, and of the runtime.

use crate::VerilateError;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;

/// Functions of a loaded model. Each takes the instance that `new` returned, from one thread at a time.
#[derive(Clone, Copy, Debug)]
pub struct Functions {
    /// Creates an instance whose power-up state follows from the seed.
    pub new: unsafe extern "C" fn(u32) -> *mut c_void,
    /// Destroys an instance.
    pub delete: unsafe extern "C" fn(*mut c_void),
    /// Settles an instance.
    pub eval: unsafe extern "C" fn(*mut c_void),
    /// Sets an input from 32-bit words, lowest first.
    pub set: unsafe extern "C" fn(*mut c_void, u32, *const u32),
    /// Reads a port into 32-bit words, lowest first.
    pub get: unsafe extern "C" fn(*mut c_void, u32, *mut u32),
    /// Adds an instance's signals to a VCD of the runtime, if the model was compiled to write waveforms.
    pub trace: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, c_int)>,
}

/// The runtime's functions: the C interface of the crate `verilated`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuntimeFunctions {
    pub vcd_new: unsafe extern "C" fn() -> *mut c_void,
    pub vcd_delete: unsafe extern "C" fn(*mut c_void),
    pub vcd_open: unsafe extern "C" fn(*mut c_void, *const c_char),
    pub vcd_is_open: unsafe extern "C" fn(*mut c_void) -> c_int,
    pub vcd_close: unsafe extern "C" fn(*mut c_void),
    pub vcd_dump: unsafe extern "C" fn(*mut c_void, u64),
}

/// Opens a library and never closes it: code of a model may be on any stack until the program ends.
fn open(path: &Path, flags: c_int) -> Result<&'static Library, VerilateError> {
    // SAFETY: the library is one that this crate compiled and whose hash it has compared; its initialisers are those of
    // Verilator's runtime and of plain data.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | flags) };
    Ok(Box::leak(Box::new(library.map_err(|error| unusable(path, &error))?)))
}

fn unusable(path: &Path, error: &dyn std::error::Error) -> VerilateError {
    // What the system's loader says stands behind what the crate says.
    let said = error.source().map_or_else(|| error.to_string(), |source| source.to_string());
    VerilateError::Load { path: path.into(), reason: said }
}

/// A function of a library.
///
/// # Safety
/// `T` is the type of the function.
unsafe fn function<T: Copy>(library: &'static Library, path: &Path, name: &str) -> Result<T, VerilateError> {
    // SAFETY: as the caller promises.
    let symbol = unsafe { library.get::<T>(name.as_bytes()) };
    symbol.map(|symbol| *symbol).map_err(|error| unusable(path, &error))
}

/// Loads a model; the runtime it was compiled against has been loaded.
pub(crate) fn model(path: &Path, waves: bool) -> Result<Functions, VerilateError> {
    let library = open(path, RTLD_LOCAL)?;
    // SAFETY: the types are those of the functions in the shim's text.
    unsafe {
        Ok(Functions {
            new: function(library, path, "tengen_new")?,
            delete: function(library, path, "tengen_delete")?,
            eval: function(library, path, "tengen_eval")?,
            set: function(library, path, "tengen_set")?,
            get: function(library, path, "tengen_get")?,
            trace: if waves { Some(function(library, path, "tengen_trace")?) } else { None },
        })
    }
}

/// Loads the runtime, whose functions the models loaded after it call.
pub(crate) fn runtime(path: &Path) -> Result<RuntimeFunctions, VerilateError> {
    let library = open(path, RTLD_GLOBAL)?;
    // SAFETY: the types are those of the functions in the crate's sources.
    unsafe {
        Ok(RuntimeFunctions {
            vcd_new: function(library, path, "verilatedvcdc_new")?,
            vcd_delete: function(library, path, "verilatedvcdc_delete")?,
            vcd_open: function(library, path, "verilatedvcdc_open")?,
            vcd_is_open: function(library, path, "verilatedvcdc_is_open")?,
            vcd_close: function(library, path, "verilatedvcdc_close")?,
            vcd_dump: function(library, path, "verilatedvcdc_dump")?,
        })
    }
}

/// A waveform file in writing.
#[derive(Debug)]
pub struct Vcd {
    functions: RuntimeFunctions,
    writer: *mut c_void,
}

impl Vcd {
    pub(crate) fn new(functions: RuntimeFunctions) -> Vcd {
        // SAFETY: the runtime makes a writer, which lives until `drop`.
        Vcd { functions, writer: unsafe { (functions.vcd_new)() } }
    }

    /// The runtime's object, for [`Functions::trace`].
    pub fn writer(&mut self) -> *mut c_void {
        self.writer
    }

    /// Opens the file and writes its head; every signal must have been added.
    pub fn open(&mut self, file: &Path) -> std::io::Result<()> {
        use std::os::unix::ffi::OsStrExt;
        let name = CString::new(file.as_os_str().as_bytes())?;
        // SAFETY: the writer is alive and the name ends with a zero.
        let is_open = unsafe {
            (self.functions.vcd_open)(self.writer, name.as_ptr());
            (self.functions.vcd_is_open)(self.writer)
        };
        if is_open == 0 {
            // The writer does not say why; a try of our own does.
            std::fs::File::create(file)?;
            return Err(std::io::Error::other("the waveform writer cannot open it"));
        }
        Ok(())
    }

    /// Writes what has changed, at a time in the unit of the file (nanoseconds unless the text says otherwise).
    pub fn dump(&mut self, time: u64) {
        // SAFETY: the writer is alive, and so is every instance whose signals it writes: the caller drops it first.
        unsafe { (self.functions.vcd_dump)(self.writer, time) }
    }
}

impl Drop for Vcd {
    fn drop(&mut self) {
        // SAFETY: the writer is closed and destroyed once, here.
        unsafe {
            (self.functions.vcd_close)(self.writer);
            (self.functions.vcd_delete)(self.writer);
        }
    }
}

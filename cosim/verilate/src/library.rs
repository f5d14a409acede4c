// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared libraries, loaded for as long as the program runs: the functions of a model, and of the runtime.

use crate::VerilateError;
use crate::source::{Source, Waves};
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
    /// How it writes waveforms, if it was compiled to.
    pub waves: Option<WaveFunctions>,
    /// Writes how often each bit has changed to a file, in Verilator's format, or counts anew without one, if it was compiled to
    /// count.
    pub coverage: Option<unsafe extern "C" fn(*mut c_void, *const c_char)>,
}

/// How a model writes waveforms.
#[derive(Clone, Copy, Debug)]
pub struct WaveFunctions {
    /// The format.
    pub format: Waves,
    /// Adds an instance's signals, so many levels of hierarchy, to a writer.
    trace: unsafe extern "C" fn(*mut c_void, *mut c_void, c_int),
    writer: WriterFunctions,
}

/// A writer's functions: the C interface of the crate `verilated`, or ours like it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriterFunctions {
    new: unsafe extern "C" fn() -> *mut c_void,
    delete: unsafe extern "C" fn(*mut c_void),
    open: unsafe extern "C" fn(*mut c_void, *const c_char),
    is_open: unsafe extern "C" fn(*mut c_void) -> c_int,
    close: unsafe extern "C" fn(*mut c_void),
    dump: unsafe extern "C" fn(*mut c_void, u64),
}

impl WriterFunctions {
    /// # Safety
    /// The library has the interface of `verilated` for this format.
    unsafe fn find(library: &'static Library, path: &Path, format: Waves) -> Result<Self, VerilateError> {
        let name = |part: &str| format!("verilated{}c_{part}", format.ending());
        // SAFETY: the types are those of the functions in the crate's sources and in the shim's text.
        unsafe {
            Ok(WriterFunctions {
                new: function(library, path, &name("new"))?,
                delete: function(library, path, &name("delete"))?,
                open: function(library, path, &name("open"))?,
                is_open: function(library, path, &name("is_open"))?,
                close: function(library, path, &name("close"))?,
                dump: function(library, path, &name("dump"))?,
            })
        }
    }
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

/// Loads a model; the runtime it was compiled against has been loaded, and has this writer.
pub(crate) fn model(path: &Path, source: &Source, vcd: WriterFunctions) -> Result<Functions, VerilateError> {
    let library = open(path, RTLD_LOCAL)?;
    // SAFETY: the types are those of the functions in the shim's text.
    unsafe {
        let waves = match source.waves {
            None => None,
            Some(format) => Some(WaveFunctions {
                format,
                trace: function(library, path, "tengen_trace")?,
                writer: match format {
                    Waves::Vcd => vcd,
                    Waves::Fst => WriterFunctions::find(library, path, format)?,
                },
            }),
        };
        Ok(Functions {
            new: function(library, path, "tengen_new")?,
            delete: function(library, path, "tengen_delete")?,
            eval: function(library, path, "tengen_eval")?,
            set: function(library, path, "tengen_set")?,
            get: function(library, path, "tengen_get")?,
            waves,
            coverage: match source.coverage {
                true => Some(function(library, path, "tengen_coverage")?),
                false => None,
            },
        })
    }
}

/// Loads the runtime, whose functions the models loaded after it call; its writer of VCD.
pub(crate) fn runtime(path: &Path) -> Result<WriterFunctions, VerilateError> {
    let library = open(path, RTLD_GLOBAL)?;
    // SAFETY: the interface of the crate `verilated` is part of the runtime.
    unsafe { WriterFunctions::find(library, path, Waves::Vcd) }
}

/// A waveform file in writing.
#[derive(Debug)]
pub struct Waveform {
    functions: WriterFunctions,
    writer: *mut c_void,
}

impl Waveform {
    /// A waveform of an instance, so many levels of hierarchy.
    ///
    /// # Safety
    /// The instance is one of the model whose functions these are, and lives longer than what is returned.
    pub unsafe fn of(instance: *mut c_void, waves: &WaveFunctions, levels: c_int) -> Waveform {
        // SAFETY: the writer lives until `drop`, the instance longer.
        unsafe {
            let writer = (waves.writer.new)();
            (waves.trace)(instance, writer, levels);
            Waveform { functions: waves.writer, writer }
        }
    }

    /// Opens the file and writes its head; every signal must have been added.
    pub fn open(&mut self, file: &Path) -> std::io::Result<()> {
        use std::os::unix::ffi::OsStrExt;
        let name = CString::new(file.as_os_str().as_bytes())?;
        // SAFETY: the writer is alive and the name ends with a zero.
        let is_open = unsafe {
            (self.functions.open)(self.writer, name.as_ptr());
            (self.functions.is_open)(self.writer)
        };
        if is_open == 0 {
            // The writer does not say why; a try of our own does.
            std::fs::File::create(file)?;
            return Err(std::io::Error::other("the waveform writer cannot open it"));
        }
        Ok(())
    }

    /// Writes what has changed, at a time in picoseconds.
    pub fn dump(&mut self, time: u64) {
        // SAFETY: the writer is alive, and so is every instance whose signals it writes: the caller drops it first.
        unsafe { (self.functions.dump)(self.writer, time) }
    }
}

impl Drop for Waveform {
    fn drop(&mut self) {
        // SAFETY: the writer is closed and destroyed once, here.
        unsafe {
            (self.functions.close)(self.writer);
            (self.functions.delete)(self.writer);
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many commands for a cluster: an array job of Slurm with a task a command, and a task that merges when all have ended.

/// Times that a task which did not end by itself is begun again.
const RESTARTS: u32 = 3;

/// The files of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scripts {
    /// A command a line: the array's tasks.
    pub jobs: String,
    /// The array job.
    pub array: String,
    /// The task that waits for it.
    pub merge: String,
    /// Submits both; prints the number of the merging job.
    pub submit: String,
}

/// Names of the files, in the order of [`Scripts`].
pub const FILES: [&str; 4] = ["jobs", "array.sbatch", "merge.sbatch", "submit"];

/// Scripts for these commands; `name` is the job's, `folder` where the scripts lie, `merge` the command that merges. Folder and
/// commands are quoted for a shell already.
pub fn scripts(name: &str, lines: &[String], folder: &str, merge: &str) -> Scripts {
    let head = |what: &str, log: &str| {
        format!(
            "#!/bin/sh\n#SBATCH --job-name=tengen-{name}{what}\n#SBATCH --ntasks=1 --cpus-per-task=1 --requeue\n\
             #SBATCH --open-mode=append\n#SBATCH --output={log}\n"
        )
    };
    let array = format!(
        "{head}#SBATCH --array=1-{count}\n\
         # A task a line. Exit code 1 is a disagreement, which is an outcome; whatever else ends a task is begun again.\n\
         line=$(sed -n \"${{SLURM_ARRAY_TASK_ID}}p\" jobs)\n\
         sh -c \"$line\"\n\
         code=$?\n\
         [ $code -gt 1 ] || exit 0\n\
         echo \"task $SLURM_ARRAY_TASK_ID ended with $code, restarts so far: ${{SLURM_RESTART_COUNT:-0}}\" >&2\n\
         [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt {RESTARTS} ] && scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}\"\n\
         exit $code\n",
        head = head("", "task-%a.log"),
        count = lines.len(),
    );
    let merge = format!("{}{merge}\n", head("-merge", "merge.log"));
    let submit = format!(
        "#!/bin/sh\n\
         # Merges when every task has ended, however: what is missing then is named, and merging can be called again.\n\
         set -eu\n\
         cd {folder}\n\
         array=$(sbatch --parsable --chdir=. array.sbatch)\n\
         sbatch --parsable --chdir=. --dependency=afterany:\"$array\" merge.sbatch\n"
    );
    let mut jobs = lines.join("\n");
    jobs.push('\n');
    Scripts { jobs, array, merge, submit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_a_line_and_one_that_merges() {
        let lines = ["tengen regress p --job a.1", "tengen regress p --job b.1"].map(str::to_string);
        let scripts = scripts("regress", &lines, "'/a folder'", "tengen regress p --merge");
        assert_eq!(scripts.jobs.lines().count(), 2);
        for part in ["--array=1-2\n", "--requeue", "scontrol requeue \"${SLURM_ARRAY_JOB_ID}_", "-lt 3 ]"] {
            assert!(scripts.array.contains(part), "{part}: {}", scripts.array);
        }
        assert!(scripts.merge.ends_with("tengen regress p --merge\n"));
        assert!(
            scripts.submit.contains("cd '/a folder'\n") && scripts.submit.contains("afterany:\"$array\"")
        );
    }
}

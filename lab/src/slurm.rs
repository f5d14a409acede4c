// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many commands for a cluster: an array job of Slurm with a task a command, and a task that merges when all have ended.

/// Times that a task which did not end by itself is begun again.
const RESTARTS: u32 = 3;

/// Most tasks of an array: Slurm takes 1,001 as the first number too many (`MaxArraySize`) unless a site says otherwise, and refuses the whole
/// submission.
pub const MOST_TASKS: usize = 1_000;

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
    let each = lines.len().div_ceil(MOST_TASKS).max(1);
    let array = format!(
        "{head}#SBATCH --array=1-{count}\n\
         # A task a line, or as many lines as bring the tasks down to a thousand. Exit code 1 is a disagreement, which is an outcome;\n\
         # whatever else ends a task is begun again.\n\
         number=$(( (SLURM_ARRAY_TASK_ID - 1) * {each} ))\n\
         last=$(( number + {each} ))\n\
         code=0\n\
         while [ $number -lt $last ]; do\n\
         \x20 number=$(( number + 1 ))\n\
         \x20 line=$(sed -n \"${{number}}p\" jobs)\n\
         \x20 [ -n \"$line\" ] || break\n\
         \x20 sh -c \"$line\"\n\
         \x20 ended=$?\n\
         \x20 [ $ended -le 1 ] || code=$ended\n\
         done\n\
         [ $code -gt 1 ] || exit 0\n\
         echo \"task $SLURM_ARRAY_TASK_ID ended with $code, restarts so far: ${{SLURM_RESTART_COUNT:-0}}\" >&2\n\
         [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt {RESTARTS} ] && scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}\"\n\
         exit $code\n",
        head = head("", "task-%a.log"),
        count = lines.len().div_ceil(each),
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

    /// Run as Slurm would, every line is run once, by tasks that Slurm takes.
    #[test]
    fn no_array_has_more_tasks_than_slurm_takes() {
        for lines in [1, 999, 1_000, 1_001, 2_500] {
            let commands: Vec<String> = (1..=lines).map(|line| format!("echo {line}")).collect();
            let scripts = scripts("many", &commands, "/f", "merge");
            let count = scripts.array.split("--array=1-").nth(1).and_then(|rest| rest.split('\n').next());
            let count: usize = count.unwrap().parse().unwrap();
            assert!(count <= MOST_TASKS, "{lines}: {count}");
            let folder = std::env::temp_dir().join(format!("slurm-{}-{lines}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("jobs"), &scripts.jobs).unwrap();
            let run = |task: usize| {
                let mut shell = std::process::Command::new("sh");
                shell.args(["-c", &scripts.array]).current_dir(&folder);
                let output = shell.env("SLURM_ARRAY_TASK_ID", task.to_string()).output().unwrap();
                String::from_utf8(output.stdout).unwrap()
            };
            let (first, last) = (run(1), run(count));
            assert!(first.starts_with("1\n"), "{lines}: {first}");
            assert!(last.ends_with(&format!("{lines}\n")), "{lines}: {last}");
            std::fs::remove_dir_all(folder).unwrap();
        }
    }

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

//! What a process has used, from the scheduler's own accounts.
//!
//! Linux keeps the time that each thread ran and the time that it was ready and had to wait, both in
//! nanoseconds. Elsewhere nothing is known and nothing is reported.

use std::fs;

/// CPU and memory of a process since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Nanoseconds on a CPU, all threads.
    pub ran_ns: u64,
    /// Nanoseconds ready and waiting for one.
    pub waited_ns: u64,
    /// Bytes in memory.
    pub resident: u64,
}

impl Usage {
    /// What this process (`self`) or that one (its number) has used; none when it is not known.
    pub fn of(process: &str) -> Option<Self> {
        let mut usage = Self { resident: resident(process)?, ..Self::default() };
        for task in fs::read_dir(format!("/proc/{process}/task")).ok()? {
            // A thread may end while it is looked at; what it used is then lost.
            let Ok(line) = fs::read_to_string(task.ok()?.path().join("schedstat")) else { continue };
            let mut fields = line.split_ascii_whitespace().map_while(|field| field.parse::<u64>().ok());
            usage.ran_ns += fields.next()?;
            usage.waited_ns += fields.next()?;
        }
        Some(usage)
    }

    /// Parts of a core that were used and waited for between an earlier look and this one.
    pub fn shares_since(&self, before: &Self, seconds: f64) -> [f64; 2] {
        let share = |now: u64, then: u64| now.saturating_sub(then) as f64 / 1e9 / seconds.max(1e-9);
        [share(self.ran_ns, before.ran_ns), share(self.waited_ns, before.waited_ns)]
    }
}

fn resident(process: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Load averages of the machine over 1, 5 and 15 minutes.
pub fn load_average() -> Option<[f64; 3]> {
    let line = fs::read_to_string("/proc/loadavg").ok()?;
    let mut fields = line.split_ascii_whitespace().map_while(|field| field.parse().ok());
    Some([fields.next()?, fields.next()?, fields.next()?])
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn work_is_seen_in_the_accounts() {
        // Another process, of one thread: threads of other tests end meanwhile, and what they used is lost.
        let mut busy = std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let process = busy.id().to_string();
        let before = Usage::of(&process).unwrap();
        let mut after = before;
        for _ in 0..1_000 {
            std::thread::sleep(std::time::Duration::from_millis(10));
            after = Usage::of(&process).unwrap();
            if after.ran_ns > before.ran_ns {
                break;
            }
        }
        busy.kill().unwrap();
        busy.wait().unwrap();
        assert!(after.ran_ns > before.ran_ns && after.resident > 0);
        assert!(Usage::of("self").is_some_and(|own| own.ran_ns > 0 && own.resident > 0));
        assert!(load_average().is_some());
        assert_eq!(Usage::of("0"), None);
    }
}

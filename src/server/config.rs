//! What can be configured, and what is allowed.

use super::Failure;
use crate::net::{NetConfig, Origins};
use crate::wire;
use crate::world::{self, ConfigError, Obstacle};
use serde::{Deserialize, Serialize};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// A configuration file: the program's settings, and the world's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FileConfig {
    /// The program.
    pub server: ServerConfig,
    /// The game.
    pub world: world::Config,
}

/// Settings of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerConfig {
    /// Address to listen on, `host:port`; port 0 takes a free one.
    pub addr: String,
    /// Snakes that the arena is kept filled with: bots, less one for each player.
    pub bots: u32,
    /// Seed of the world; none: a random one.
    pub seed: Option<u64>,
    /// Directory to serve the client from; none: the client that is built in.
    pub web_dir: Option<PathBuf>,
    /// Connections in all, 1..=1,000,000.
    pub connections_max: u32,
    /// Connections of one address; none: 256, and no limit for loopback.
    pub connections_per_address: Option<u32>,
    /// Origins whose pages may connect, each whole (`https://game.example`); empty: the server's own host.
    pub origins: Vec<String>,
    /// Ticks from one snapshot of a client to its next, 1..=20.
    pub snapshot_every: u32,
    /// Bytes of a snapshot, 200..=16,384.
    pub view_budget: u32,
    /// Messages a second that a client may send, 1..=1,000; twice as many at once.
    pub input_rate: u32,
    /// Seconds after which who neither plays nor asks to is sent away, 1..=86,400.
    pub idle_limit: u32,
    /// Seconds over which the clients are spread when the server stops, 0..=60.
    pub drain_spread: u32,
    /// What to log: a level, or a filter such as `ringsnake::net=debug`.
    pub log: String,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            addr: "127.0.0.1:8080".to_owned(),
            bots: 50,
            seed: None,
            web_dir: None,
            connections_max: 16_384,
            connections_per_address: None,
            origins: Vec::new(),
            snapshot_every: 2,
            view_budget: wire::view::BUDGET as u32,
            input_rate: 90,
            idle_limit: 600,
            drain_spread: 2,
            log: "info".to_owned(),
        }
    }
}

impl FileConfig {
    /// Reads a file. The errors say where in it.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::Config(format!("cannot read {}: {error}", path.display())))?;
        Self::parse(&text).map_err(|words| Failure::Config(format!("{}: {words}", path.display())))
    }

    fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            format!("line {line}: {}", error.message().replace('\n', " "))
        })
    }

    /// Checks everything; the first thing that is wrong is the error.
    pub fn validate(&self) -> Result<(), Failure> {
        self.world.validate().map_err(|error| out_of_range("world", &error))?;
        self.validate_wire().map_err(|error| out_of_range("world", &error))?;
        self.server.validate().map_err(|error| out_of_range("server", &error))?;
        self.server.check_words()
    }

    /// What the wire format can say of a world is less than what the engine can hold.
    fn validate_wire(&self) -> Result<(), ConfigError> {
        within("arena.radius", self.world.arena.radius, 100.0, wire::ARENA_RADIUS_MAX)?;
        let quanta_max = f64::from(u16::MAX / crate::limits::QUANTA_PER_UNIT as u16);
        within("body.spacing", self.world.body.spacing, 0.0, quanta_max)?;
        within("body.radius_max", self.world.body.radius_max, 0.0, quanta_max)?;
        self.validate_obstacles()
    }

    fn validate_obstacles(&self) -> Result<(), ConfigError> {
        let (obstacles, bound) = (&self.world.arena.obstacles, wire::ARENA_RADIUS_MAX);
        within("arena.obstacles (number of)", obstacles.len() as f64, 0.0, wire::OBSTACLES_MAX as f64)?;
        for (i, obstacle) in obstacles.iter().enumerate() {
            let (shape, figures) = match *obstacle {
                Obstacle::Box { min, max } => ("box", [min[0], min[1], max[0], max[1]]),
                Obstacle::Circle { center: [x, y], radius } => ("circle", [x, y, radius, 0.0]),
            };
            figures.iter().try_for_each(|&u| within(&format!("arena.obstacles[{i}].{shape}"), u, -bound, bound))?;
        }
        Ok(())
    }

    /// The limits of the front end.
    pub fn net(&self) -> Result<NetConfig, Failure> {
        let server = &self.server;
        Ok(NetConfig {
            addr: server.socket_addr()?,
            origins: Origins::new(server.origins.iter().cloned()),
            connections_max: server.connections_max,
            connections_per_address: server.connections_per_address,
            messages_per_second: server.input_rate,
            messages_burst: server.input_rate * 2,
            ..NetConfig::default()
        })
    }
}

impl ServerConfig {
    fn validate(&self) -> Result<(), ConfigError> {
        let limit = |field, value: u32, min: u32, max: u32| within(field, value.into(), min.into(), max.into());
        limit("bots", self.bots, 0, crate::limits::SNAKES_MAX)?;
        limit("connections_max", self.connections_max, 1, 1_000_000)?;
        limit("connections_per_address", self.connections_per_address.unwrap_or(1), 1, 1_000_000)?;
        limit("snapshot_every", self.snapshot_every, 1, 20)?;
        limit("view_budget", self.view_budget, 200, 16_384)?;
        limit("input_rate", self.input_rate, 1, 1_000)?;
        limit("idle_limit", self.idle_limit, 1, 86_400)?;
        limit("drain_spread", self.drain_spread, 0, 60)
    }

    fn check_words(&self) -> Result<(), Failure> {
        self.socket_addr()?;
        self.filter()?;
        for origin in &self.origins {
            if !is_origin(origin) {
                let words = "is no origin, allowed is scheme://host or scheme://host:port";
                return Err(Failure::Config(format!("server.origins: {origin:?} {words}")));
            }
        }
        match &self.web_dir {
            Some(dir) if !dir.is_dir() => {
                Err(Failure::Config(format!("server.web_dir: {} is no directory", dir.display())))
            }
            _ => Ok(()),
        }
    }

    /// What the log lets through.
    pub fn filter(&self) -> Result<EnvFilter, Failure> {
        let wrong = |why: String| {
            let words =
                "allowed is a level (off, error, warn, info, debug, trace) or a filter like info,ringsnake=debug";
            Failure::Config(format!("server.log: {:?}: {why}, {words}", self.log))
        };
        // To the filter a word alone is the name of something that logs, and a misspelt level silences everything else.
        let is_known = |word: &str| word.parse::<LevelFilter>().is_ok() || word.contains(['=', '[']) || word.is_empty();
        if let Some(word) = self.log.split(',').map(str::trim).find(|word| !is_known(word)) {
            return Err(wrong(format!("{word:?} is no level")));
        }
        EnvFilter::try_new(&self.log).map_err(|error| wrong(error.to_string()))
    }

    /// The address, looked up if it is a name; IPv4 before IPv6.
    fn socket_addr(&self) -> Result<SocketAddr, Failure> {
        let wrong = |why: String| {
            Failure::Config(format!("server.addr: {:?}: {why}, allowed is host:port with port 0..=65535", self.addr))
        };
        let mut found: Vec<_> = self.addr.to_socket_addrs().map_err(|error| wrong(error.to_string()))?.collect();
        found.sort_by_key(SocketAddr::is_ipv6);
        found.first().copied().ok_or_else(|| wrong("no such host".to_owned()))
    }
}

/// Scheme and authority, and nothing after them.
fn is_origin(text: &str) -> bool {
    let authority = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    authority.is_some_and(|rest| !rest.is_empty() && !rest.contains(['/', '?', '#', '@', ' ', '*']))
}

fn within(field: &str, value: f64, min: f64, max: f64) -> Result<(), ConfigError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(ConfigError { field: field.to_owned(), value: value.to_string(), allowed: format!("{min}..={max}") })
}

fn out_of_range(section: &str, error: &ConfigError) -> Failure {
    Failure::Config(format!("{section}.{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_valid_and_an_empty_file_is_the_default() {
        FileConfig::default().validate().unwrap();
        assert_eq!(FileConfig::parse("").unwrap(), FileConfig::default());
    }

    #[test]
    fn an_unknown_field_is_refused_with_its_line() {
        let words = FileConfig::parse("[server]\nbots = 3\nbotz = 4\n").unwrap_err();
        assert!(words.starts_with("line 3: unknown field `botz`"), "{words}");
        assert!(!words.contains('\n'));
    }

    #[test]
    fn a_field_out_of_its_range_is_named() {
        let wrong = |text: &str| FileConfig::parse(text).unwrap().validate().unwrap_err().to_string();
        assert_eq!(
            wrong("[server]\nsnapshot_every = 0"),
            "server.snapshot_every: 0 is out of range, allowed is 1..=20"
        );
        assert_eq!(
            wrong("[world.body]\nkill_share = 1.5"),
            "world.body.kill_share: 1.5 is out of range, allowed is 0..=1"
        );
        assert!(wrong("[server]\naddr = \"nowhere\"").starts_with("server.addr: \"nowhere\": "));
        assert!(wrong("[server]\norigins = [\"game.example\"]").starts_with("server.origins: \"game.example\" "));
        assert!(wrong("[server]\nweb_dir = \"/no/such\"").starts_with("server.web_dir: /no/such "));
        let log = wrong("[server]\nlog = 'warn,debig'\n");
        assert!(log.starts_with("server.log: \"warn,debig\": \"debig\" is no level, allowed is "), "{log}");
    }

    #[test]
    fn an_arena_beyond_the_wire_is_refused_at_the_start() {
        let config = FileConfig::parse("[world.arena]\nradius = 200000.0").unwrap();
        config.world.validate().unwrap();
        assert!(config.validate().unwrap_err().to_string().starts_with("world.arena.radius: 200000 is out of range"));
    }

    #[test]
    fn obstacles_beyond_the_wire_are_refused_at_the_start() {
        let wrong = |obstacles: Vec<Obstacle>| {
            let mut config = FileConfig::default();
            config.world.arena.obstacles = obstacles;
            config.world.validate().unwrap();
            config.validate().map_err(|error| error.to_string())
        };
        let disc = |x| Obstacle::Circle { center: [x, 0.0], radius: 30.0 };
        assert_eq!(wrong(vec![disc(0.0); 1_024]), Ok(()));
        let words = wrong(vec![disc(0.0); 1_025]).unwrap_err();
        assert_eq!(words, "world.arena.obstacles (number of): 1025 is out of range, allowed is 0..=1024");
        let words = wrong(vec![disc(0.0), disc(140_000.0)]).unwrap_err();
        assert!(words.starts_with("world.arena.obstacles[1].circle: 140000 is out of range"), "{words}");
        let far = Obstacle::Box { min: [0.0, -131_000.0], max: [1.0, 1.0] };
        assert!(wrong(vec![far]).unwrap_err().starts_with("world.arena.obstacles[0].box: -131000 is out of range"));
    }
}

//! Who may connect at all: so many connections, and so many of one address.

use super::counters::Refusal;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// Limit for one address where none is configured. A school or an office stands behind one address.
const PER_ADDRESS: u32 = 256;

/// Counts the connections that are open.
pub(super) struct Gate {
    connections_max: u32,
    per_address: Option<u32>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: u32,
    by_address: HashMap<IpAddr, u32>,
}

/// The right to be connected; given back when it is dropped.
pub(super) struct Permit {
    gate: Arc<Gate>,
    address: IpAddr,
}

impl Gate {
    pub(super) fn new(connections_max: u32, per_address: Option<u32>) -> Arc<Self> {
        Arc::new(Self { connections_max, per_address, open: Mutex::default() })
    }

    /// Lets a connection of this address in, unless a limit is reached.
    pub(super) fn enter(self: &Arc<Self>, ip: IpAddr) -> Result<Permit, Refusal> {
        let address = counted_as(ip);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.all >= self.connections_max {
            return Err(Refusal::Full);
        }
        let here = open.by_address.get(&address).copied().unwrap_or(0);
        if here >= self.limit_of(address) {
            return Err(Refusal::Address);
        }
        open.all += 1;
        open.by_address.insert(address, here + 1);
        Ok(Permit { gate: Arc::clone(self), address })
    }

    fn limit_of(&self, address: IpAddr) -> u32 {
        let usual = if address.is_loopback() { u32::MAX } else { PER_ADDRESS };
        self.per_address.unwrap_or(usual)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut open = self.gate.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all -= 1;
        if let Some(here) = open.by_address.get_mut(&self.address) {
            *here -= 1;
            if *here == 0 {
                open.by_address.remove(&self.address);
            }
        }
    }
}

/// An IPv6 subscriber holds a whole /64; an IPv4 address that came through IPv6 is itself.
fn counted_as(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(v6) if !v6.is_loopback() => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX))),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_place_is_free_again_when_its_permit_is_dropped() {
        let gate = Gate::new(1, None);
        let permit = gate.enter(ip("192.0.2.1")).ok().unwrap();
        assert_eq!(gate.enter(ip("192.0.2.2")).err(), Some(Refusal::Full));
        drop(permit);
        assert!(gate.enter(ip("192.0.2.2")).is_ok());
        assert!(gate.open.lock().unwrap().by_address.is_empty());
    }

    #[test]
    fn one_address_cannot_take_every_place() {
        let gate = Gate::new(100, Some(2));
        let _held: Vec<_> = (0..2).map(|_| gate.enter(ip("192.0.2.1"))).collect();
        assert_eq!(gate.enter(ip("::ffff:192.0.2.1")).err(), Some(Refusal::Address));
        assert!(gate.enter(ip("192.0.2.9")).is_ok());
    }

    #[test]
    fn a_subscriber_with_a_64_is_one_address() {
        let gate = Gate::new(100, Some(1));
        let _held = gate.enter(ip("2001:db8:1:2::1"));
        assert_eq!(gate.enter(ip("2001:db8:1:2:ffff::9")).err(), Some(Refusal::Address));
        assert!(gate.enter(ip("2001:db8:1:3::1")).is_ok());
    }

    #[test]
    fn loopback_is_only_limited_on_request() {
        let gate = Gate::new(1000, None);
        let held: Vec<_> = (0..500).map(|_| gate.enter(ip("127.0.0.1"))).collect();
        assert!(held.iter().all(Result::is_ok));
    }
}

// Names below localhost lead to this machine. Browsers and curl know that; Node asks the resolver,
// which may not.
import dns from 'node:dns';

const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest);

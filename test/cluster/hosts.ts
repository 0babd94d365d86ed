/** Hosts with etcd, Patroni and Postgres each. */
export const DATABASES = ['db1', 'db2', 'db3'] as const;
export type DatabaseHost = (typeof DATABASES)[number];

/** The host of HAProxy, PgBouncer, gateways, workers and clients. */
export const APP = 'app';

export const HOSTS = [...DATABASES, APP];

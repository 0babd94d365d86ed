import type { StoredSnapshot } from '../../db/queries/find-snapshots.ts';
import type { Locale } from '../../db/records/locale.ts';
import { assembleSnapshot } from '../../db/snapshot/assemble.ts';
import { attachEncodings } from '../../db/snapshot/encodings.ts';
import { decodeParts, type SectionPart, type SnapshotHead } from '../../db/snapshot/parts.ts';
import type { BodyName, Snapshot } from '../../db/snapshot/snapshot.ts';
import { prepareResource, type Resource } from '../http/resource.ts';

/** A snapshot in memory, with the answers that it holds ready to be sent. */
export interface LoadedSnapshot extends Snapshot {
  tenant: Tenant;
  /** Names the snapshot in the cache: `<slug>/<locale>`. */
  key: string;
  resources: Partial<Record<BodyName, Resource>>;
}

/** A tenant of which at least one snapshot is in memory. */
export interface Tenant {
  id: number;
  slug: string;
  defaultLocale: Locale;
  supportedLocales: readonly Locale[];
  /** IANA name. */
  timezone: string;
  snapshots: Map<Locale, LoadedSnapshot>;
}

/** The snapshot of a stored head, with what is new of it and what is held of an earlier version. */
function openSnapshot(
  stored: StoredSnapshot,
  head: SnapshotHead,
  held: LoadedSnapshot | undefined,
): Snapshot {
  const { encodings } = stored;
  if (held?.version === head.version) {
    return encodings && !held.encoded ? attachEncodings(held, encodings) : held;
  }
  const parts = new Map<number, SectionPart>(held?.parts);
  for (const part of decodeParts(stored.parts ?? '')) parts.set(part.id, part);
  const snapshot = assembleSnapshot(head, parts);
  return encodings ? attachEncodings(snapshot, encodings) : snapshot;
}

/**
 * Opens a stored snapshot and makes its answers.
 *
 * @param held the version since which `stored` has the changed parts; undefined: it has them all
 */
export function loadSnapshot(
  tenant: Tenant,
  stored: StoredSnapshot,
  head: SnapshotHead,
  held: LoadedSnapshot | undefined,
): LoadedSnapshot {
  const { version, locale, generatedAt, encoded, bodies, dishes, sections, parts, bytes } =
    openSnapshot(stored, head, held);
  const resources: LoadedSnapshot['resources'] = {};
  let overhead = 0;
  for (const [name, body] of Object.entries(bodies)) {
    const resource = prepareResource(body);
    resources[name as BodyName] = resource;
    overhead += resource.overhead;
  }
  return {
    ...{ version, locale, generatedAt, head, encoded, bodies, dishes, sections, parts },
    bytes: bytes + overhead,
    tenant,
    key: `${tenant.slug}/${stored.locale}`,
    resources,
  };
}

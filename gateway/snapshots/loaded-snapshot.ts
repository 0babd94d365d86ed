import { inOneGo, inSlices } from '../../db/runtime/in-slices.ts';
import { once } from '../../db/runtime/memoize.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import { assembleInSteps } from '../../db/snapshot/assemble.ts';
import { openColdMenu } from '../../db/snapshot/cold-menu.ts';
import type { BodyName, Snapshot, SnapshotHead } from '../../db/snapshot/parts.ts';
import {
  isTemplate,
  measureTemplate,
  type SnapshotSection,
  type SnapshotSections,
  sectionOf,
} from '../../db/snapshot/template.ts';
import type { ColdMenu } from '../../db/sql/snapshots.ts';
import type { CdnCaching } from '../http/cdn-caching.ts';
import type { Encoding } from '../http/negotiation.ts';
import {
  type AnswerForm,
  prepareCompressible,
  prepareRepresentations,
  type Representations,
  type Variant,
} from '../http/representations.ts';
import { measureSearchTexts } from '../search/section-search.ts';

/** The answers of a snapshot, with those that are finished ready to be sent. */
interface Served extends Snapshot {
  /** Made when it is asked for first. */
  resource(name: BodyName): Representations;
}

/**
 * A snapshot in memory: the menu of a tenant in one locale. As of tenants, a hot read's fields come
 * first.
 */
export interface LoadedSnapshot {
  /** Its answer to `/menu` since somebody asked for it: displays ask for nothing else. */
  menu: Representations | undefined;
  /** The cache's round in which it was used last. */
  usedIn: number;
  tenant: Tenant;
  /** Names the snapshot in the cache: `<slug>/<locale>`. */
  key: string;
  /** Names this very snapshot: a version that was lost in a failover is given again. */
  serial: number;
  /** `UNKNOWN_VERSION` when the database may have lost the version. */
  version: number;
  locale: Locale;
  generatedAt: string;
  head: SnapshotHead;
  /** Its size in memory, in bytes; it grows when an answer is compressed. */
  bytes: number;
  /** Put together when it is asked for first: in a row of writes few versions are read. */
  served(): Served;
  /** Whether somebody has asked for it. */
  wasServed(): boolean;
  /**
   * Puts it together before it is asked for, in slices, and compresses its menu as that of the version
   * before was asked for.
   */
  getReady(former: LoadedSnapshot): Promise<void>;
  /** The sections from which the next version is made. */
  sections(): SnapshotSections;
}

/** Before every version that there is. */
export const UNKNOWN_VERSION = -1;

/**
 * A tenant with at least one snapshot in memory. Each has its fields in this order: with many menus a
 * hot read waits for the processor's memory, which gives it the first ones together.
 */
export interface Tenant {
  /**
   * The answer to the last hot read, which stands until its snapshot gives way; and to which path, in
   * which encoding and in which round of the cache it was found: most readers ask alike.
   */
  hot: Variant | undefined;
  hotPath: string;
  hotEncoding: Encoding;
  hotRound: number;
  id: number;
  slug: string;
  /** The host that links name; null: its slug below the domain. */
  host: string | null;
  /** Of the settings that follow; snapshots that are older may join later. */
  version: number;
  defaultLocale: Locale;
  supportedLocales: readonly Locale[];
  /** For readers of other languages. */
  fallbackLocale: Locale;
  /** A code of ISO 4217. */
  currency: string;
  /** IANA name. */
  timezone: string;
  /** Origins whose pages may show the menu's page in a frame, separated by spaces. */
  embedOrigins: string;
  snapshots: Map<Locale, LoadedSnapshot>;
  /** How caches before the gateway may keep its answers. */
  cdn: CdnCaching;
}

/** The data of a restaurant for pages without a menu. A snapshot has it. */
export interface Restaurant {
  tenant: Pick<Tenant, 'id' | 'slug' | 'host' | 'defaultLocale' | 'fallbackLocale' | 'currency'>;
  head: Pick<SnapshotHead, 'settings' | 'theme'>;
  /** It is suspended, perhaps with a sentence of its operator's. */
  suspension?: { reason: string | null };
}

/** The lowest version of what answers for a tenant; infinite when nothing does. */
export function servedVersion({ snapshots }: Tenant): number {
  return Math.min(...Array.from(snapshots.values(), ({ version }) => version));
}

/** The highest: a locale may have been read before the others' is announced. */
export function highestVersion({ snapshots }: Tenant): number {
  return Math.max(...Array.from(snapshots.values(), ({ version }) => version));
}

/** The answers that are large enough to be compressed. */
const COMPRESSED: readonly BodyName[] = ['menu', 'categories'];
/** The memory of a snapshot's answers beside their bytes: objects, header lines, small buffers. */
const RESOURCE_BYTES = 8_192;
/** Memory that objects, views and map entries take beside the bytes of the bodies. */
const BYTES_PER_DISH = 160;
const BYTES_PER_SECTION = 400;
const BYTES_PER_SNAPSHOT = 4_096;

let serial = 0;
function nextSerial(): number {
  serial += 1;
  return serial;
}

/**
 * The size in memory of the snapshot of these sections once it is assembled and has been searched, in
 * bytes.
 */
function measureSections(head: SnapshotHead, sections: SnapshotSections): number {
  let bodies = 0;
  let beside = BYTES_PER_SNAPSHOT;
  for (const section of sections.values()) {
    const { bytes, textLength } = isTemplate(section)
      ? measureTemplate(section, head.locale)
      : { bytes: section.json.length, textLength: section.textLength };
    const dishes = isTemplate(section) ? section.dishCount : section.dishes.length;
    bodies += bytes;
    beside += BYTES_PER_SECTION + dishes * BYTES_PER_DISH + measureSearchTexts(textLength, dishes);
  }
  const about = 2 * (head.settings.length + head.theme.length);
  return beside + about + bodies;
}

/**
 * @param menu its answer where it was there before
 * @param onGrown told how much memory a compressed answer or the nested sections take, in bytes
 */
function prepare(
  snapshot: Snapshot,
  menu: Representations | undefined,
  form: AnswerForm,
  onGrown: (bytes: number) => void,
): Served {
  const resources: Partial<Record<BodyName, Representations>> = menu ? { menu } : {};
  // The answer to `/categories` holds the sections a second time; few menus are asked for it.
  const nest = once(() => onGrown(snapshot.body('categories').identity.length));
  const make = (name: BodyName): Representations => {
    if (name === 'categories') nest();
    const body = snapshot.body(name);
    const made = COMPRESSED.includes(name)
      ? prepareCompressible(body, onGrown, form)
      : prepareRepresentations(body, form);
    resources[name] = made;
    return made;
  };
  return {
    ...snapshot,
    branches: () => {
      nest();
      return snapshot.branches();
    },
    resource: (name) => resources[name] ?? make(name),
  };
}

/** Former sections with a smaller share of the bytes of their menu get bytes of their own. */
const LEAST_SHARE = 1 / 4;

/**
 * The sections of a menu. Former ones are views of the bytes of the menu before, and would hold all of
 * them where few are left. (A function of its own: what it is given must not live as long as the
 * snapshot's own functions.)
 */
function sectionsIn({ order }: SnapshotHead, sections: SnapshotSections): SnapshotSections {
  const own = order.map((id) => sectionOf(sections, id));
  const views = own.flatMap((section) => (isTemplate(section) ? [] : [section.json]));
  const bytes = views.reduce((sum, { length }) => sum + length, 0);
  const isWaste = bytes < LEAST_SHARE * (views[0]?.buffer.byteLength ?? 0);
  const kept = (section: SnapshotSection) =>
    isTemplate(section) || !isWaste ? section : { ...section, json: Buffer.from(section.json) };
  return new Map(own.map((section) => [section.id, kept(section)]));
}

function isCold(content: SnapshotSections | ColdMenu): content is ColdMenu {
  return 'br' in content;
}

/** The size in memory of what a snapshot is made of, in bytes. */
function measureContent(head: SnapshotHead, content: SnapshotSections | ColdMenu): number {
  if (!isCold(content)) return measureSections(head, content);
  const texts = 2 * (head.settings.length + head.theme.length);
  return BYTES_PER_SNAPSHOT + texts + content.br.length + content.about.length;
}

/** A class: functions of its own took each menu in memory two kilobytes. */
class HeldMenu implements LoadedSnapshot {
  menu: Representations | undefined = undefined;
  usedIn = 0;
  readonly tenant: Tenant;
  readonly key: string;
  readonly serial = nextSerial();
  version: number;
  readonly locale: Locale;
  readonly generatedAt: string;
  readonly head: SnapshotHead;
  bytes: number;
  #content: SnapshotSections | ColdMenu;
  #answers: Served | undefined = undefined;
  #wasServed: boolean;
  readonly #onGrown: (snapshot: LoadedSnapshot) => void;

  constructor(
    tenant: Tenant,
    head: SnapshotHead,
    content: SnapshotSections | ColdMenu,
    onGrown: (snapshot: LoadedSnapshot) => void,
  ) {
    this.tenant = tenant;
    this.key = `${tenant.slug}/${head.locale}`;
    this.version = head.version;
    this.locale = head.locale;
    this.generatedAt = head.generatedAt;
    this.head = head;
    this.bytes = RESOURCE_BYTES + measureContent(head, content);
    this.#content = content;
    // Its first reader is answered while it is cold.
    this.#wasServed = isCold(content);
    this.#onGrown = onGrown;
    if (isCold(content)) this.#prepareCold(content);
  }

  served(): Served {
    this.#wasServed = true;
    const answers = this.#put();
    this.menu ??= answers.resource('menu');
    return answers;
  }

  wasServed(): boolean {
    return this.#wasServed;
  }

  async getReady({ menu: former }: LoadedSnapshot): Promise<void> {
    const answers = this.#answers ?? (await inSlices(this.#assemble()));
    const menu = answers.resource('menu');
    for (const encoding of ['br', 'gzip'] as const) {
      if (former?.[encoding]) await menu.compress?.(encoding, true);
    }
  }

  sections(): SnapshotSections {
    if (isCold(this.#content)) this.#put();
    return this.#content as SnapshotSections;
  }

  #prepareCold({ etag, br, about }: ColdMenu): void {
    const identity = () => this.#put().body('menu').identity;
    const onGrown = (grown: number) => this.#grow(grown);
    this.menu = prepareCompressible({ etag, br, identity }, onGrown, this.tenant.cdn.json);
    // The answer holds the bytes already: once is enough.
    const answer = this.menu.br?.body;
    if (answer instanceof Buffer) this.#content = { etag, br: answer, about };
  }

  #grow(bytes: number): void {
    this.bytes += bytes;
    this.#onGrown(this);
  }

  #put(): Served {
    return this.#answers ?? inOneGo(this.#assemble());
  }

  *#assemble(): Generator<void, Served> {
    const content = this.#content;
    const assembled = isCold(content)
      ? openColdMenu(this.head, content)
      : yield* assembleInSteps(this.head, content);
    // Somebody may have asked for it in between.
    const { json } = this.tenant.cdn;
    this.#answers ??= prepare(assembled, this.menu, json, (bytes) => this.#grow(bytes));
    // From here on they are views of the new bodies: the templates and the old bodies can go.
    const made = new Map(this.#answers.sections.map((part) => [part.id, part]));
    this.#content = made;
    if (isCold(content)) this.#grow(measureSections(this.head, made));
    return this.#answers;
  }
}

/**
 * Opens a stored snapshot.
 *
 * @param stored the sections that are in the menu, and maybe others; or the cold menu, which is
 *   opened when anything is asked for but its compressed answer
 * @param onGrown called when its `bytes` have grown
 * @throws Error when a section is missing
 */
export function loadSnapshot(
  tenant: Tenant,
  head: SnapshotHead,
  stored: SnapshotSections | ColdMenu,
  onGrown: (snapshot: LoadedSnapshot) => void,
): LoadedSnapshot {
  const content = isCold(stored) ? stored : sectionsIn(head, stored);
  return new HeldMenu(tenant, head, content, onGrown);
}

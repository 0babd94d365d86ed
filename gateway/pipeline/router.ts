/** Where a path leads: its routes by method, and what its parameter holds. */
interface Match<R> {
  routes: ReadonlyMap<string, R>;
  param: string;
}

/** The method whose route answers: HEAD works wherever GET does. */
export function routedMethod(method: string): string {
  return method === 'get' || method === 'head' ? 'GET' : method.toUpperCase();
}

/** The methods that routes answer, for `Allow`. */
export function answeredMethods(routes: ReadonlyMap<string, unknown>): string[] {
  return routes.has('GET') ? [...routes.keys(), 'HEAD'] : [...routes.keys()];
}

interface Node<R> {
  children: Map<string, Node<R>>;
  parameter: Node<R> | undefined;
  routes: Map<string, R>;
}

function createNode<R>(): Node<R> {
  return { children: new Map(), parameter: undefined, routes: new Map() };
}

function childOf<R>(node: Node<R>, segment: string): Node<R> {
  if (segment.startsWith(':')) {
    node.parameter ??= createNode();
    return node.parameter;
  }
  const child = node.children.get(segment) ?? createNode<R>();
  node.children.set(segment, child);
  return child;
}

function walk<R>(root: Node<R>, path: string): Match<R> | undefined {
  let node: Node<R> | undefined = root;
  let param = '';
  for (const segment of path.split('/').slice(1)) {
    const child: Node<R> | undefined = node.children.get(segment);
    if (!child) param = param === '' ? segment : `${param}/${segment}`;
    // Nothing between two slashes names nothing.
    node = child ?? (segment === '' ? undefined : node.parameter);
    if (!node) return undefined;
  }
  return node.routes.size > 0 ? { routes: node.routes, param } : undefined;
}

/** Slash by slash: a pattern for them would look at a long run again from each of its slashes. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/**
 * Finds routes by path. Paths without a parameter take one look-up; the others are walked segment by
 * segment. The values of several parameters are joined by slashes.
 */
export function createRouter<R extends { method: string; path: string }>(routes: readonly R[]) {
  const root = createNode<R>();
  const exact = new Map<string, Match<R>>();
  for (const route of routes) {
    const { path } = route;
    const base = path.replace(/\/:\w+\?$/, '');
    for (const form of new Set([base, path])) {
      const node = form
        .split('/')
        .slice(1)
        .reduce(childOf<R>, root);
      node.routes.set(route.method, route);
      if (!form.includes(':')) exact.set(form, { routes: node.routes, param: '' });
    }
  }
  return {
    /** Finds the routes of a request's path; a trailing slash is tolerated. */
    match: (path: string): Match<R> | undefined =>
      exact.get(path) ?? walk(root, withoutTrailingSlashes(path)),
  };
}

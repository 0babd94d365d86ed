import type { Asset } from '../http/asset.ts';
import { type Representations, selectAnswer } from '../http/representations.ts';
import type { PageContext, PageRoute } from '../pipeline/route.ts';
import { pageAssets } from './assets.ts';
import { shellOf } from './shell.ts';

const WORKER = 'worker.js';

type Find = (context: PageContext) => Representations;

function readRoute(path: string, find: Find): PageRoute {
  return {
    kind: 'page',
    method: 'GET',
    path,
    call: (context) => selectAnswer(find(context), context),
  };
}

/**
 * The restaurant's menu as a page, `{tenant_url}/`, and its files. The page reads nothing but the
 * public API: whoever writes a display of their own finds here how it can be done.
 */
export function createDisplayRoutes(): PageRoute[] {
  const files = [...pageAssets].filter(([name]) => name !== WORKER);
  return [
    readRoute('/', ({ snapshot }) => shellOf(snapshot).page),
    readRoute('/display/:version/theme.css', ({ snapshot, param }) =>
      shellOf(snapshot).theme.read(param),
    ),
    ...files.map(([name, asset]) =>
      readRoute(`/display/:version/${name}`, ({ param }) => asset.read(param)),
    ),
    // A service worker keeps its address for ever, and browsers ask for it anew.
    readRoute(`/display/${WORKER}`, () => (pageAssets.get(WORKER) as Asset).read('')),
  ];
}

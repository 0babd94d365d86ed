import { createMcpRoute } from './mcp/mcp-route.ts';
import { createPanelRoutes, type PanelOptions } from './panel/entry/panel.ts';
import type { Route } from './pipeline/route.ts';
import { createReferenceRoutes } from './reference/reference.ts';
import type { Services } from './routes/frame/services.ts';
import { ownerRoutes, routes } from './routes/routes.ts';

/** All that owners, their programs and their assistants use: two thirds of a gateway's code. */
export function createOwnerRoutes(panel: PanelOptions): Route<Services>[] {
  return [
    ...ownerRoutes,
    createMcpRoute(routes, panel.log),
    ...createPanelRoutes(panel),
    ...createReferenceRoutes(routes),
  ];
}

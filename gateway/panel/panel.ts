import type { Logger } from 'pino';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Session } from '../../db/sql/access/use-session.ts';
import type { Answer } from '../http/answer.ts';
import type { Asset } from '../http/asset.ts';
import { selectAnswer } from '../http/representations.ts';
import type { FrontContext, FrontRoute } from '../pipeline/route.ts';
import { deskCss, panelCss, panelJs, signInCss } from './assets.ts';
import { brandOf } from './brand.ts';
import { failurePage, mistakePage } from './failure-page.ts';
import { chooseLanguage } from './language.ts';
import { redirectAnswer, TOKENS_PATH } from './pages/page.ts';
import { createPasswordChecks } from './sign-in/password-checks.ts';
import { findSession } from './sign-in/sessions.ts';
import { showSignIn, signIn, signOut } from './sign-in/sign-in.ts';
import { askToRevoke, revoke } from './tokens/revocation.ts';
import { createTokenFromForm, showTokens, type TokensOptions } from './tokens/tokens.ts';
import { beginVisit, type Visit } from './visit.ts';

export interface PanelOptions {
  db: Database;
  domain: string;
  log: Logger;
  constants: Constants;
}

type VisitHandler = (visit: Visit) => Promise<Answer>;
type SessionHandler = (options: TokensOptions, visit: Visit, session: Session) => Promise<Answer>;

function assetRoute(path: string, find: (context: FrontContext) => Asset): FrontRoute {
  const call = (context: FrontContext) => {
    const version = new URLSearchParams(context.query).get('v') ?? '';
    return selectAnswer(find(context).read(version), context);
  };
  return { kind: 'front', method: 'GET', path, call };
}

/** The panel's pages: `{tenant_url}/admin/api-tokens` and what belongs to it. */
export function createPanelRoutes(options: PanelOptions): FrontRoute[] {
  const { db, domain, log, constants } = options;
  const signInOptions = { db, domain, checks: createPasswordChecks(constants) };

  const page = (method: 'GET' | 'POST', path: string, handle: VisitHandler): FrontRoute => ({
    kind: 'front',
    method,
    path,
    call: async (context) => {
      const visit = beginVisit(context);
      try {
        return await handle(visit);
      } catch (error) {
        const mistake = mistakePage(visit, error);
        if (mistake) return mistake;
        log.error({ err: error, path: context.path }, 'a page of the panel failed');
        return failurePage(visit, error);
      }
    },
  });
  const signedIn =
    (handle: SessionHandler): VisitHandler =>
    async (visit) => {
      const isForm = visit.context.method === 'post';
      let session = await findSession(db, visit);
      if (session && isForm) {
        // It may take minutes, and the session may end meanwhile. A stranger's is not waited for.
        await visit.context.body;
        session = await findSession(db, visit);
      }
      if (session) return handle(options, visit, session);
      // Whoever sends a form was signed in when it was shown.
      const reason = isForm ? '?because=expired' : '';
      return redirectAnswer(visit, `/admin/sign-in${reason}`);
    };

  return [
    page('GET', '/admin', async (visit) => redirectAnswer(visit, TOKENS_PATH)),
    page('GET', '/admin/sign-in', (visit) => showSignIn(signInOptions, visit)),
    page('POST', '/admin/sign-in', (visit) => signIn(signInOptions, visit)),
    page('POST', '/admin/sign-out', (visit) => signOut(signInOptions, visit)),
    page('POST', '/admin/language', chooseLanguage),
    page('GET', '/admin/api-tokens', signedIn(showTokens)),
    page('POST', '/admin/api-tokens', signedIn(createTokenFromForm)),
    page('GET', '/admin/api-tokens/:id/revoke', signedIn(askToRevoke)),
    page('POST', '/admin/api-tokens/:id/revoke', signedIn(revoke)),
    assetRoute('/admin/panel.css', () => panelCss),
    assetRoute('/admin/sign-in.css', () => signInCss),
    assetRoute('/admin/desk.css', () => deskCss),
    assetRoute('/admin/panel.js', () => panelJs),
    assetRoute('/admin/theme.css', ({ front }) => brandOf(front).stylesheet),
    assetRoute('/admin/icon.svg', ({ front }) => brandOf(front).icon),
  ];
}

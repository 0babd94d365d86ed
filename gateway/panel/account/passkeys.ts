import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Database } from '../../../db/postgres/connection.ts';
import { constants } from '../../../db/runtime/constants.ts';
import {
  listPasskeys,
  lockPasskey,
  notePasskeyUse,
  saveChallenge,
  savePasskey,
  takeChallenge,
} from '../../../db/sql/passkeys.ts';
import { findUserById, lockUsers, logUserAction, type User } from '../../../db/sql/users.ts';
import { type Answer, jsonAnswer } from '../../http/answer.ts';
import { clientNetwork, networkText } from '../../http/client-address.ts';
import { hashCookie } from '../../http/random-cookie.ts';
import { hostName } from '../../http/request-origin.ts';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { retryAfter } from '../pages/fields.ts';
import { isOwnForm, type PanelRequest, setBrowserCookie } from '../panel-request.ts';
import { readName } from '../people/people-page.ts';
import { firstPage } from '../permission.ts';
import { beginSession } from '../sign-in/sessions.ts';
import { takeAddress } from '../sign-in/sign-in.ts';

/** Passkeys of one user, and how long a browser may take to sign with one, in ms. */
const MAX_PASSKEYS = 20;
const timeout = 5 * 60_000;

// Signing in without a password (WebAuthn). A browser has to sign a challenge, which is valid once and
// in that browser only; a passkey belongs to the host of one restaurant.

/** The library takes memory, and a gateway may never need it. */
const library = () => import('@simplewebauthn/server');

/** The host to which passkeys belong, and the origins of its pages. */
function relyingParty({ brand, context }: PanelRequest) {
  const rpID = hostName(context.host);
  const origins = [`https://${context.host.toLowerCase()}`, `https://${rpID}`];
  // Browsers trust the names of this machine without TLS.
  if (rpID.endsWith('localhost')) origins.push(`http://${context.host.toLowerCase()}`);
  return { rpName: brand.name, rpID, origins };
}

async function keepChallenge(db: Database, request: PanelRequest, challenge: string) {
  await saveChallenge(db, request.tenantId, hashCookie(request.cookie), challenge, timeout);
}

/** The options by which a browser makes a passkey for a user. */
async function offerPasskey(db: Database, request: PanelRequest, user: User) {
  const { rpName, rpID } = relyingParty(request);
  const known = await listPasskeys(db, request.tenantId, user.id);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    ...{ rpName, rpID, timeout },
    userName: user.email,
    userDisplayName: user.name === '' ? user.email : user.name,
    userID: Uint8Array.from(Buffer.from(`${request.tenantId}/${user.id}`)),
    attestationType: 'none',
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await keepChallenge(db, request, options.challenge);
  return options;
}

/**
 * Stores the passkey that a browser has made.
 *
 * @returns false when it did not sign the challenge of this browser for this host, and when the user
 *   has too many
 */
async function addPasskey(
  db: Database,
  request: PanelRequest,
  user: User,
  name: string,
  response: unknown,
): Promise<boolean> {
  const { tenantId, cookie } = request;
  const { rpID, origins } = relyingParty(request);
  const expectedChallenge = await takeChallenge(db, tenantId, hashCookie(cookie));
  if (expectedChallenge === null) return false;
  const { verifyRegistrationResponse } = await library();
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    ...{ expectedChallenge, expectedOrigin: origins, expectedRPID: rpID },
  }).catch(() => null);
  if (!verified?.verified) return false;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return db.transaction(async (tx) => {
    await lockUsers(tx, tenantId);
    const held = await listPasskeys(tx, tenantId, user.id);
    if (held.length >= MAX_PASSKEYS) return false;
    const passkey = { id, user_id: user.id, counter, transports, name };
    const isNew = await savePasskey(tx, tenantId, {
      ...passkey,
      public_key: Buffer.from(publicKey),
    });
    if (!isNew) return false;
    const actor = { kind: 'user', name: user.email } as const;
    const entry = { action: 'passkey_added', subject: user.email, detail: name } as const;
    await logUserAction(tx, tenantId, actor, entry);
    return true;
  });
}

/** The options by which a browser signs in with any passkey that it has for this host. */
async function askForPasskey(db: Database, request: PanelRequest) {
  const { rpID } = relyingParty(request);
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID,
    timeout,
    userVerification: 'required',
  });
  await keepChallenge(db, request, options.challenge);
  return options;
}

function isSigned(value: unknown): value is AuthenticationResponseJSON {
  return (
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
  );
}

/**
 * The user whose passkey has signed the challenge of this browser for this host, or null. A challenge
 * counts once, whatever comes of it; a device that counts its uses may not count backwards.
 */
async function findByPasskey(db: Database, request: PanelRequest, response: unknown) {
  const { tenantId, cookie } = request;
  const { rpID, origins } = relyingParty(request);
  const expectedChallenge = await takeChallenge(db, tenantId, hashCookie(cookie));
  if (expectedChallenge === null || !isSigned(response)) return null;
  const { verifyAuthenticationResponse } = await library();
  return db.transaction(async (tx) => {
    const passkey = await lockPasskey(tx, tenantId, response.id.slice(0, 2_000));
    if (!passkey) return null;
    const { id, public_key: publicKey, counter } = passkey;
    const verified = await verifyAuthenticationResponse({
      response,
      ...{ expectedChallenge, expectedOrigin: origins, expectedRPID: rpID },
      credential: { id, publicKey: Uint8Array.from(publicKey), counter },
    }).catch(() => null);
    if (!verified?.verified) return null;
    await notePasskeyUse(tx, tenantId, id, verified.authenticationInfo.newCounter);
    return findUserById(tx, tenantId, passkey.user_id);
  });
}

// Answers for the script that speaks with the browser's passkeys: JSON, and no page.

const json = (status: string, body: unknown, headers: Record<string, string> = {}) =>
  jsonAnswer(status, JSON.stringify(body), headers);

const REFUSED = json('403 Forbidden', { done: false });

/** The credential that the script has put into the form; null for a text that is no JSON. */
function credentialOf(form: Form): unknown {
  try {
    return JSON.parse(form.secret('credential'));
  } catch {
    return null;
  }
}

const MAX_FORM = constants.maxRecordFormBytes;

/** `POST /admin/account/passkeys`: first the options, then, with a credential, the new passkey. */
export async function changePasskeys(desk: Desk): Promise<Answer> {
  const { db, request, session, tenantId } = desk;
  const form = await readForm(request.context, MAX_FORM);
  const user = await findUserById(db, tenantId, session.user_id);
  if (!user || !isOwnForm(request, form.text('form_token'))) return REFUSED;
  if (form.secret('credential') === '') {
    return json('200 OK', { options: await offerPasskey(db, request, user) });
  }
  const name = readName(form.text('passkey_name')) ?? 'Passkey';
  const isAdded = await addPasskey(db, request, user, name, credentialOf(form));
  return isAdded ? json('200 OK', { next: '/admin/account?done=passkey' }) : REFUSED;
}

/** `POST /admin/sign-in/passkey`: first the options, then, with a credential, the session. */
export async function signInByPasskey({ db }: { db: Database }, request: PanelRequest) {
  const { tenantId, context, secure } = request;
  const form = await readForm(context, MAX_FORM);
  if (!isOwnForm(request, form.text('form_token'))) return REFUSED;
  // A passkey names its account itself, so attempts are counted by the address alone.
  const wait = await takeAddress(db, tenantId, networkText(clientNetwork(context.client)));
  if (wait !== null) {
    return json('429 Too Many Requests', { done: false }, retryAfter(wait));
  }
  if (form.secret('credential') === '') {
    return json('200 OK', { options: await askForPasskey(db, request) });
  }
  const user = await findByPasskey(db, request, credentialOf(form));
  const signedIn = user && (await beginSession(db, request, user));
  if (!signedIn) return REFUSED;
  const cookie = setBrowserCookie(signedIn.cookie, secure);
  return json('200 OK', { next: firstPage(user.role) }, { 'Set-Cookie': cookie });
}

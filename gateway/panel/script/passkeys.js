// Passkeys: the browser signs what the server asks for. Without this script people sign in by password.

function toBytes(text) {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}

function toText(buffer) {
  const signs = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte));
  return btoa(signs.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Replaces the texts of credentials by their bytes. */
const withIds = (list = []) => list.map((one) => ({ ...one, id: toBytes(one.id) }));

async function create(options) {
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user.id) },
      excludeCredentials: withIds(options.excludeCredentials),
    },
  });
  const { attestationObject, clientDataJSON } = credential.response;
  return describe(credential, {
    attestationObject: toText(attestationObject),
    clientDataJSON: toText(clientDataJSON),
    transports: credential.response.getTransports?.() ?? [],
  });
}

async function get(options) {
  const credential = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      allowCredentials: withIds(options.allowCredentials),
    },
  });
  const { authenticatorData, clientDataJSON, signature, userHandle } = credential.response;
  return describe(credential, {
    authenticatorData: toText(authenticatorData),
    clientDataJSON: toText(clientDataJSON),
    signature: toText(signature),
    ...(userHandle && { userHandle: toText(userHandle) }),
  });
}

function describe(credential, response) {
  const { id, type } = credential;
  const clientExtensionResults = credential.getClientExtensionResults();
  return { id, rawId: id, type, response, clientExtensionResults };
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential || !window.isSecureContext) continue;
  form.hidden = false;
  for (const hint of document.querySelectorAll('[data-passkey-hint]')) hint.hidden = true;
  const failure = form.querySelector('[role="alert"]');
  const send = async (credential) => {
    const fields = new URLSearchParams(new FormData(form));
    if (credential) fields.set('credential', JSON.stringify(credential));
    const response = await fetch(form.action, { method: 'POST', body: fields });
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    failure.hidden = true;
    try {
      const { options } = await send();
      const sign = form.dataset.passkey === 'create' ? create : get;
      const { next } = await send(await sign(options));
      location.assign(next);
    } catch {
      // Somebody has closed the dialogue, or the server has refused.
      failure.textContent = form.dataset.failed;
      failure.hidden = false;
      form.removeAttribute('aria-busy');
    }
  });
}

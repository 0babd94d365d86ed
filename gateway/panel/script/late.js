// The page of a change that is kept and not done yet asks for its result, and shows it. Without this
// script its button does.
const late = document.querySelector('form.late');
if (late) {
  /** Answers that say nothing about the result. */
  const waits = (status) => status === 202 || status === 429 || status >= 500;
  const ask = async () => {
    try {
      const body = new URLSearchParams(new FormData(late));
      const { status } = await fetch(late.action, { method: 'POST', body, redirect: 'manual' });
      if (!waits(status)) {
        late.submit();
        return;
      }
    } catch {
      // There is no connection: the next look tries again.
    }
    setTimeout(ask, 3_000);
  };
  setTimeout(ask, 3_000);
}

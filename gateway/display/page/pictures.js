// A picture keeps its place until it is there or has failed; one that has failed leaves no trace.

const isPicture = ({ localName }) => localName === 'img';
const hasFailed = (image) => image.complete && image.naturalWidth === 0 && image.loading !== 'lazy';
/** The address at which each hidden picture failed. */
const failed = new WeakMap();

function hide(image) {
  image.hidden = true;
  failed.set(image, image.src);
}

/** Watches all pictures of the page, those that come later among them. */
export function watchPictures() {
  document.addEventListener('error', ({ target }) => isPicture(target) && hide(target), true);
  document.addEventListener(
    'load',
    ({ target }) => {
      if (isPicture(target)) target.hidden = false;
    },
    true,
  );
  for (const image of document.images) if (hasFailed(image)) hide(image);
}

/** Makes room for pictures with a new address, and asks again for those that failed, without room. */
export function retryPictures() {
  for (const image of document.images) {
    if (!image.hidden) continue;
    if (failed.get(image) === image.src) image.setAttribute('src', image.src);
    else image.hidden = false;
  }
}

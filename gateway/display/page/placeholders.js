// A blurred picture stands where a photo will be, until it is there.
import { thumbHashToDataURL } from 'thumbhash';

const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

function draw(image) {
  if (image.naturalWidth > 0) return;
  image.style.background = `center / cover url(${thumbHashToDataURL(bytesOf(image.dataset.thumb))})`;
  // Below a photo with gaps it would shine through.
  const clear = () => image.style.removeProperty('background');
  image.addEventListener('load', clear, { once: true });
}

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      draw(target);
    }
  },
  { rootMargin: '100%' },
);

/** Draws those of photos that are near the view, and later those that come near it. */
export function drawPlaceholders() {
  for (const image of document.querySelectorAll('img[data-thumb]')) near.observe(image);
}

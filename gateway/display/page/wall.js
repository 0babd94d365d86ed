// A screen beside its menu: how it hangs, its name, its rest while the house is closed, and the age of
// its menu.

import { openingState, sayOpening } from '../../../db/hours/opening.js';
import { el } from './element.js';
import { localNow } from './hours.js';

/** A menu that was good so long ago says so, in ms. */
const OLD = 3_600_000;
/** Pause between two moves of a text that would burn in, in ms, and how far it moves. */
const MOVE_EVERY = 60_000;
const WAYS = [
  [0, 0],
  [3, 2],
  [-3, 4],
  [-4, -3],
  [2, -4],
  [4, 1],
];

const root = document.documentElement;

/** Turns the page as the screen hangs. */
export function hang({ orientation }) {
  const isTall = innerHeight > innerWidth;
  const wantsTall = orientation.startsWith('portrait');
  const isTurned = orientation !== 'auto' && wantsTall !== isTall;
  const isLeft = orientation === 'portrait_left';
  root.classList.toggle('turned', isTurned && !isLeft);
  root.classList.toggle('turned-left', isTurned && isLeft);
  root.classList.toggle('tall', orientation === 'auto' ? isTall : wantsTall);
}

/** Makes the function that shows a screen's name for a while. */
export function createNamePlate() {
  let timer;
  const plate = el('p', { id: 'screen-name', hidden: true });
  document.body.append(plate);
  return ({ name, name_for }) => {
    clearTimeout(timer);
    plate.textContent = name;
    plate.hidden = !(name_for > 0);
    if (name_for > 0) {
      timer = setTimeout(() => {
        plate.hidden = true;
      }, name_for);
    }
  };
}

/** Whether the house is open and when that changes; null where it states no hours. */
function readOpening() {
  const line = document.getElementById('open');
  return line && openingState(JSON.parse(line.dataset.hours), localNow());
}

/** Whether the house is closed by its own hours. */
export const isClosed = () => readOpening()?.isOpen === false;

/** Makes the function that dims a screen while nothing is served, and says when that changes. */
export function createRest(menu) {
  let step = 0;
  let timer;
  const move = () => {
    step = (step + 1) % WAYS.length;
    const [x, y] = WAYS[step];
    const nothing = menu.querySelector('.nothing');
    if (nothing) nothing.style.transform = `translate(${x}vmin, ${y}vmin)`;
  };
  return (texts) => {
    const rests = menu.classList.contains('bare') && !root.hasAttribute('data-empty');
    root.classList.toggle('resting', rests);
    const nothing = menu.querySelector('.nothing');
    const state = readOpening();
    if (rests && state?.isOpen === false) {
      nothing.textContent = sayOpening(state, localNow(), texts, texts.locale);
    } else if (rests) nothing.textContent = texts.noneServed;
    if (rests) timer = timer || setInterval(move, MOVE_EVERY);
    else {
      clearInterval(timer);
      timer = undefined;
      nothing.style.transform = '';
    }
  };
}

/** Whether a menu that was good at this moment is so old that guests should know it. */
export const isOld = (goodAt) => Math.abs(Date.now() - goodAt) >= OLD;

// The parts of a screen, which a guest’s page never loads.
import { carriedWarning, keepMoments } from './carried.js';
import { createSettings } from './screen-settings.js';
import { startSlides } from './slides.js';
import { offerStick } from './stick.js';
import { createNamePlate, createRest, hang, isOld } from './wall.js';
import { offerWayOut } from './way-out.js';

/**
 * Makes the parts of a screen.
 *
 * @param hasPlace whether the panel has its settings
 * @param given the settings in a file from a stick; null elsewhere
 * @param applySettings called with the settings when they are others
 * @param turnLanguage called after the last page; true when another language is on its way
 */
export function createScreen(menu, hasPlace, given, applySettings, turnLanguage) {
  const settings = createSettings(hasPlace, given, applySettings);
  return {
    settings,
    slides: startSlides(menu, settings.present, turnLanguage),
    showName: createNamePlate(),
    rest: createRest(menu),
    hang: () => hang(settings.present()),
    isOld,
    offerWayOut,
    keepMoments: (texts) => keepMoments(menu, texts),
    carriedWarning,
    offerStick: (texts) => offerStick(settings, texts),
  };
}

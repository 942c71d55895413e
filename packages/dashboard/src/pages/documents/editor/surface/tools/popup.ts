import type { PluginView } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';

/** A rectangle in the window, in px. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where a popup is placed. */
export interface Place {
  /** The popup belongs to this rectangle. */
  anchor: Box;
  /**
   * `above` and `below` use the other side if there is no room. `before` and `end` are beside the anchor and inside of
   * its end. `corner` is its upper right corner.
   */
  side: 'above' | 'below' | 'before' | 'end' | 'corner';
  /** Space to the anchor, in px. */
  gap?: number;
}

/** Space to the edge of the window, in px. */
const EDGE = 8;
const GAP = 6;

/** Height of the toolbar above a phone's keyboard, in px. */
const PHONE_TOOLBAR = 49;

/** Phones have no pointer that hovers, and their keyboard covers half of the page. */
export const isPhone = () => matchMedia('(hover: none) and (pointer: coarse)').matches;

/** Returns the element that scrolls the text. */
export function scrollerOf(view: EditorView): Element {
  for (let at = view.dom.parentElement; at && at !== document.body; at = at.parentElement) {
    if (/auto|scroll|hidden/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.scrollingElement ?? document.documentElement;
}

/** Returns the height of the page's bar above the text, in px. */
export function panelTop(view: EditorView): number {
  const style = getComputedStyle(view.dom.parentElement ?? view.dom);
  return Number.parseFloat(style.getPropertyValue('--panel-top')) || 0;
}

/** Returns the part of the window where text is visible: below bars and above a phone's keyboard. */
export function visibleArea(view: EditorView): Box {
  const host = view.dom.parentElement ?? view.dom;
  const viewport = window.visualViewport;
  const top = viewport?.offsetTop ?? 0;
  const area = {
    left: 0,
    right: document.documentElement.clientWidth,
    top: top + panelTop(view),
    bottom: top + (viewport?.height ?? window.innerHeight) - (isPhone() ? PHONE_TOOLBAR : 0),
  };
  const scroller = scrollerOf(view);
  if (scroller !== document.scrollingElement) {
    const { top: hostTop, bottom } = scroller.getBoundingClientRect();
    area.top = Math.max(area.top, hostTop);
    area.bottom = Math.min(area.bottom, bottom);
  }
  const bar = host.querySelector(':scope > [role=search]');
  if (bar) area.top = Math.max(area.top, bar.getBoundingClientRect().bottom);
  return area;
}

/** Returns the rectangle from one position to another. */
export function boxBetween(view: EditorView, from: number, to: number): Box {
  const start = view.coordsAtPos(from, 1);
  const end = view.coordsAtPos(to, -1);
  const isOneLine = Math.abs(start.top - end.top) < 4;
  return {
    left: isOneLine ? Math.min(start.left, end.left) : start.left,
    right: isOneLine ? Math.max(start.right, end.right) : start.right,
    top: Math.min(start.top, end.top),
    bottom: Math.max(start.bottom, end.bottom),
  };
}

/** True if the text or any of its popups has the focus. */
export function isInUse(view: EditorView): boolean {
  const focused = document.activeElement?.closest('[popover]');
  return view.hasFocus() || (focused !== null && focused?.parentElement === view.dom.parentElement);
}

/**
 * An element above the page that belongs to a place in the text. It is in the browser's top layer, so that nothing clips
 * it, and beside the text in the document.
 */
export abstract class Popup implements PluginView {
  private isShown = false;
  private frame = 0;

  constructor(
    protected readonly view: EditorView,
    readonly dom: HTMLElement,
  ) {
    dom.setAttribute('popover', 'manual');
    view.dom.parentElement?.append(dom);
    for (const target of [view.dom, dom]) {
      target.addEventListener('focusin', this.refreshSoon);
      target.addEventListener('focusout', this.refreshSoon);
    }
  }

  /** Returns where the popup is, or undefined to hide it. */
  protected abstract place(): Place | undefined;

  /** Called before the popup is placed. */
  protected render?(): void;

  update(): void {
    // Once per frame, because reading the layout after each key is slow.
    this.refreshSoon();
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.listen('removeEventListener');
    for (const target of [this.view.dom, this.dom]) {
      target.removeEventListener('focusin', this.refreshSoon);
      target.removeEventListener('focusout', this.refreshSoon);
    }
    this.dom.remove();
  }

  /** True if the text or this popup has the focus. */
  protected get isActive(): boolean {
    return this.view.hasFocus() || this.dom.contains(document.activeElement);
  }

  get isOpen(): boolean {
    return this.isShown;
  }

  /** Shows, moves or hides the popup. */
  readonly refresh = (): void => {
    if (this.view.isDestroyed || !this.dom.isConnected) return;
    const place = this.place();
    if (place) this.render?.();
    if (this.isShown !== (place !== undefined)) {
      this.isShown = place !== undefined;
      this.dom.togglePopover(this.isShown);
      this.listen(this.isShown ? 'addEventListener' : 'removeEventListener');
    }
    if (place) this.moveTo(place);
  };

  /** After the focus moved, or the layout changed. */
  protected readonly refreshSoon = (): void => {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(this.refresh);
  };

  private moveTo({ anchor, side, gap = GAP }: Place): void {
    const { dom, view } = this;
    const area = visibleArea(view);
    const roomAbove = anchor.top - gap - area.top - EDGE;
    const roomBelow = area.bottom - anchor.bottom - gap - EDGE;
    dom.style.setProperty('--room', `${String(Math.max(120, roomAbove, roomBelow))}px`);
    const { offsetWidth: width, offsetHeight: height } = dom;
    const isAbove =
      side === 'above'
        ? roomAbove >= height
        : side === 'below' && roomBelow < height && roomAbove > roomBelow;
    let top = isAbove ? anchor.top - gap - height : anchor.bottom + gap;
    let { left } = anchor;
    if (side === 'corner') {
      top = Math.max(anchor.top + gap, area.top + EDGE);
      left = anchor.right - width - gap;
    } else if (side === 'before' || side === 'end') {
      top = (anchor.top + anchor.bottom - height) / 2;
      left = side === 'before' ? anchor.left - gap - width : anchor.right - width;
    } else top = within(top, area.top + EDGE, area.bottom - EDGE - height);
    left = within(left, area.left + EDGE, area.right - EDGE - width);
    dom.style.setProperty('top', `${String(Math.round(top + window.scrollY))}px`);
    dom.style.setProperty('left', `${String(Math.round(left + window.scrollX))}px`);
  }

  private listen(how: 'addEventListener' | 'removeEventListener'): void {
    window[how]('scroll', this.refresh, { capture: true });
    window[how]('resize', this.refresh);
    window.visualViewport?.[how]('resize', this.refresh);
    window.visualViewport?.[how]('scroll', this.refresh);
  }
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

/** Keeps the focus and the selection in the text when somebody clicks. */
export function keepFocus(dom: HTMLElement): void {
  dom.addEventListener('mousedown', (event) => {
    if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
  });
}

/** Arrow keys, Home and End move between controls. Returns true if the key was handled. */
export function moveFocus(
  event: KeyboardEvent,
  controls: readonly HTMLElement[],
  [back, forward]: readonly [string, string],
): boolean {
  const usable = controls.filter(
    (control) => !control.matches(':disabled') && control.checkVisibility(),
  );
  const at = usable.findIndex((control) => control === event.target);
  const next = {
    [forward]: (at + 1) % usable.length,
    [back]: (at + usable.length - 1) % usable.length,
    Home: 0,
    End: usable.length - 1,
  }[event.key];
  if (next === undefined) return false;
  event.preventDefault();
  event.stopPropagation();
  usable[next]?.focus();
  return true;
}

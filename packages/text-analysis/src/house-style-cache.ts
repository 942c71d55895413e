import { createHash } from 'node:crypto';
import type { StyleRule } from './analysis.js';
import { HouseStyle } from './house-style.js';

const MAX_ENTRIES = 50;
/** Limit of the sum of {@link HouseStyle.share}: about 200 MB at worst. */
const MAX_SHARE = 2;

/** Caches compiled house styles, because every piece of a text needs its account's style. */
export class HouseStyleCache {
  /** By a hash of the rules, least recently used first. */
  private readonly compiled = new Map<string, HouseStyle>();

  /** Throws as the constructor of {@link HouseStyle} does. */
  get(rules: readonly StyleRule[]): HouseStyle {
    const key = createHash('sha256').update(JSON.stringify(rules)).digest('base64');
    const known = this.compiled.get(key);
    this.compiled.delete(key);
    const style = known ?? new HouseStyle(rules);
    this.evict(MAX_ENTRIES - 1, MAX_SHARE - style.share);
    this.compiled.set(key, style);
    return style;
  }

  private evict(entries: number, share: number): void {
    let sum = [...this.compiled.values()].reduce((total, style) => total + style.share, 0);
    for (const [key, style] of this.compiled) {
      if (this.compiled.size <= entries && sum <= share) return;
      this.compiled.delete(key);
      sum -= style.share;
    }
  }
}

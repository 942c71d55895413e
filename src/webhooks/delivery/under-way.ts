/**
 * What is under way: thousands of things a second that come and go. A Set of them would drag each into V8's old
 * generation (see docs/adr/0033-what-a-request-leaves-behind.md); here a place that became free is taken again.
 */
export class UnderWay<Item> implements Iterable<Item> {
  private readonly places: (Item | undefined)[] = [];
  private readonly free: number[] = [];

  /** Returns its place, for {@link remove}. */
  add(item: Item): number {
    const place = this.free.pop() ?? this.places.length;
    this.places[place] = item;
    return place;
  }

  remove(place: number): void {
    if (this.places[place] === undefined) return;
    this.places[place] = undefined;
    this.free.push(place);
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (const item of this.places) if (item !== undefined) yield item;
  }
}

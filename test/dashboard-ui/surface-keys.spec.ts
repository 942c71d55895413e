import fc from 'fast-check';
import { undo, undoDepth } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { TextSelection, type Command } from 'prosemirror-state';
import { CellSelection } from 'prosemirror-tables';
import * as commands from '../../packages/dashboard/src/pages/documents/editor/surface/commands.js';
import { schema } from '../../packages/dashboard/src/pages/documents/editor/surface/schema.js';
import { Sources } from '../../packages/dashboard/src/pages/documents/editor/surface/sources.js';
import { propertyRuns } from '../support/property-runs.js';
import { Keyboard, stateOf } from './support/surface-keyboard.js';

/** Title, document before, keys, document after. */
type Case = [title: string, before: string, keys: string, after: string];

/** Tests each case with its title as the name. */
const cases = (list: readonly Case[]): void => {
  it.each(list)('%s', (_, before, keys, after) => {
    const keyboard = new Keyboard(before);
    keyboard.press(keys);
    expect(keyboard.outline).toBe(after);
  });
};

describe('Home, End and typing', () => {
  cases([
    ['typing after Home goes to the start of a heading', 'h2(title^)', 'Home "a"', 'h2(a^title)'],
    [
      'typing after Home goes to the start of an item',
      'ul(li(p(one^)))',
      'Home "a"',
      'ul(li(p(a^one)))',
    ],
    ['typing after End goes to the end of a quote', 'quote(p(^one))', 'End "a"', 'quote(p(onea^))'],
    [
      'typing over a selection keeps an image below code',
      'code(a^b) p(c^@)',
      '"d"',
      'code(ad^) p(@)',
    ],
    ['typing over a selection in two blocks joins them', 'p(on^e) p(t^wo)', '"a"', 'p(ona^wo)'],
  ]);
});

describe('Enter', () => {
  cases([
    ['starts a paragraph', 'p(one^)', 'Enter', 'p(one) p(^)'],
    ['splits a paragraph', 'p(on^e)', 'Enter', 'p(on) p(^e)'],
    ['adds a paragraph after a heading', 'h2(title^)', 'Enter', 'h2(title) p(^)'],
    ['splits a heading', 'h2(ti^tle)', 'Enter', 'h2(ti) h2(^tle)'],
    ['adds a paragraph above a heading', 'h2(^title)', 'Enter', 'p() h2(^title)'],
    ['starts the next item', 'ul(li(p(one^)))', 'Enter', 'ul(li(p(one)) li(p(^)))'],
    ['splits an item', 'ol(li(p(on^e)))', 'Enter', 'ol(li(p(on)) li(p(^e)))'],
    ['adds an item above an item', 'ul(li(p(^one)))', 'Enter', 'ul(li(p()) li(p(^one)))'],
    [
      'splits an item at its second paragraph',
      'ul(li(p(one) p(tw^o)))',
      'Enter',
      'ul(li(p(one) p(tw)) li(p(^o)))',
    ],
    [
      'makes an empty second paragraph an item',
      'ul(li(p(one) p(^)))',
      'Enter',
      'ul(li(p(one)) li(p(^)))',
    ],
    [
      'gives the next item the nested list',
      'ul(li(p(on^e) ul(li(p(two)))))',
      'Enter',
      'ul(li(p(on)) li(p(^e) ul(li(p(two)))))',
    ],
    [
      'starts an open task after a done task',
      'ul(done(p(one^)))',
      'Enter',
      'ul(done(p(one)) open(p(^)))',
    ],
    [
      'splits a done task into a done and an open one',
      'ul(done(p(on^e)))',
      'Enter',
      'ul(done(p(on)) open(p(^e)))',
    ],
    [
      'adds an open task above a done task',
      'ul(done(p(^one)))',
      'Enter',
      'ul(open(p()) done(p(^one)))',
    ],
    ['leaves a list at an empty item', 'ul(li(p(one)) li(p(^)))', 'Enter', 'ul(li(p(one))) p(^)'],
    [
      'leaves a list between its items',
      'ul(li(p(one)) li(p(^)) li(p(two)))',
      'Enter',
      'ul(li(p(one))) p(^) ul(li(p(two)))',
    ],
    [
      'leaves a list at an empty task',
      'ul(open(p(one)) open(p(^)))',
      'Enter',
      'ul(open(p(one))) p(^)',
    ],
    [
      'takes an empty nested item one level out',
      'ul(li(p(one) ul(li(p(two)) li(p(^)))))',
      'Enter',
      'ul(li(p(one) ul(li(p(two)))) li(p(^)))',
    ],
    [
      'leaves a list after three presses',
      'ul(li(p(one) ul(li(p(two^)))))',
      'Enter Enter Enter',
      'ul(li(p(one) ul(li(p(two))))) p(^)',
    ],
    ['continues a quote', 'quote(p(one^))', 'Enter', 'quote(p(one) p(^))'],
    ['leaves a quote at an empty line', 'quote(p(one) p(^))', 'Enter', 'quote(p(one)) p(^)'],
    [
      'leaves a quote between its lines',
      'quote(p(one) p(^) p(two))',
      'Enter',
      'quote(p(one)) p(^) quote(p(two))',
    ],
    [
      'goes to the cell below',
      'table(tr(th(a^) th(b)) tr(td(c) td(d)))',
      'Enter',
      'table(tr(th(a) th(b)) tr(td(c^) td(d)))',
    ],
    [
      'adds a row below the last one',
      'table(tr(th(a) th(b)) tr(td(c) td(d^)))',
      'Enter',
      'table(tr(th(a) th(b)) tr(td(c) td(d)) tr(td() td(^)))',
    ],
    ['adds a row below a header alone', 'table(tr(th(a^)))', 'Enter', 'table(tr(th(a)) tr(td(^)))'],
    ['adds a newline to code', 'code(a^b)', 'Enter', 'code(a/^b)'],
    [
      'leaves code when pressed twice at its end',
      'code(a^) p(b)',
      'Enter Enter',
      'code(a) p(^) p(b)',
    ],
    ['stays in code when pressed twice in it', 'code(a^b)', 'Enter Enter', 'code(a//^b)'],
    ['leaves HTML when pressed twice at its end', 'html(<hr>^)', 'Enter Enter', 'html(<hr>) p(^)'],
    [
      'replaces a selection in two items',
      'ul(li(p(on^e)) li(p(t^wo)))',
      'Enter',
      'ul(li(p(on)) li(p(^wo)))',
    ],
  ]);
});

describe('Shift+Enter', () => {
  cases([
    ['breaks the line of a paragraph', 'p(on^e)', 'Shift-Enter', 'p(on/^e)'],
    ['breaks the line of an item', 'ul(li(p(one^)))', 'Shift-Enter "a"', 'ul(li(p(one/a^)))'],
    ['breaks the line in a table cell', 'table(tr(th(a^b)))', 'Shift-Enter', 'table(tr(th(a/^b)))'],
    ['splits a heading', 'h1(ti^tle)', 'Shift-Enter', 'h1(ti) h1(^tle)'],
    [
      'adds a newline to code, and never leaves it',
      'code(a^)',
      'Shift-Enter Shift-Enter',
      'code(a//^)',
    ],
    ['replaces the selection', 'p(o^n^e)', 'Shift-Enter', 'p(o/^e)'],
    ['keeps the marks for what is typed next', 'p(a^)', 'Ctrl-b Shift-Enter "b"', 'p(a/{b:b}^)'],
  ]);
});

describe('Backspace', () => {
  cases([
    ['turns a heading into a paragraph', 'p(a) h2(^title)', 'Backspace', 'p(a) p(^title)'],
    ['turns a task into an item', 'ul(open(p(^one)))', 'Backspace', 'ul(li(p(^one)))'],
    [
      'takes an item out of the list',
      'ul(li(p(one)) li(p(^two)))',
      'Backspace',
      'ul(li(p(one))) p(^two)',
    ],
    [
      'takes a nested item to the outer list',
      'ul(li(p(one) ul(li(p(^two)))))',
      'Backspace',
      'ul(li(p(one)) li(p(^two)))',
    ],
    [
      'merges the items below an item that leaves the list',
      'ul(li(p(^one) ul(li(p(two)))) li(p(three)))',
      'Backspace',
      'p(^one) ul(li(p(two)) li(p(three)))',
    ],
    [
      'joins a task to the text above with four presses',
      'p(a) ul(open(p(^one)))',
      'Backspace Backspace Backspace',
      'p(a^one)',
    ],
    ['takes a block out of a quote', 'quote(p(^one) p(two))', 'Backspace', 'p(^one) quote(p(two))'],
    ['joins two paragraphs', 'p(one) p(^two)', 'Backspace', 'p(one^two)'],
    [
      'joins a paragraph to a heading, with spaces for breaks',
      'h1(one) p(^two/three)',
      'Backspace',
      'h1(one^two three)',
    ],
    [
      'joins the second paragraph of an item',
      'ul(li(p(one) p(^two)))',
      'Backspace',
      'ul(li(p(one^two)))',
    ],
    [
      'joins a paragraph to the last item above',
      'ul(li(p(one) ul(li(p(two))))) p(^three)',
      'Backspace',
      'ul(li(p(one) ul(li(p(two^three)))))',
    ],
    [
      'merges the lists around a paragraph',
      'ul(li(p(one))) p(^two) ul(li(p(three)))',
      'Backspace',
      'ul(li(p(one^two)) li(p(three)))',
    ],
    ['joins a paragraph to a quote', 'quote(p(one)) p(^two)', 'Backspace', 'quote(p(one^two))'],
    ['deletes an empty paragraph above', 'p() p(^two)', 'Backspace', 'p(^two)'],
    ['deletes a divider above', 'hr p(^two)', 'Backspace', 'p(^two)'],
    [
      'joins a paragraph to code, with newlines for breaks',
      'code(a) p(^{b:b}/c)',
      'Backspace',
      'code(a^b/c)',
    ],
    ['keeps an image out of code', 'code(a) p(^b@)', 'Backspace', 'code(a^) p(b@)'],
    ['keeps text out of HTML', 'html(<hr>) p(^a)', 'Backspace', 'html(<hr>^) p(a)'],
    [
      'joins code to a paragraph, with breaks for newlines',
      'p(a) code(^b/c)',
      'Backspace',
      'p(a^b/c)',
    ],
    ['turns empty code into a paragraph', 'p(a) code(^)', 'Backspace', 'p(a) p(^)'],
    [
      'turns code at the start of the document into a paragraph',
      'code(^a/b)',
      'Backspace',
      'p(^a/b)',
    ],
    [
      'goes from a paragraph into the table above',
      'table(tr(th(a) th(b))) p(^c)',
      'Backspace',
      'table(tr(th(a) th(b^))) p(c)',
    ],
    [
      'deletes an empty paragraph below a table',
      'table(tr(th(a) th(b))) p(^)',
      'Backspace',
      'table(tr(th(a) th(b^)))',
    ],
    [
      'does nothing at the start of a cell',
      'table(tr(th(a) th(^b)))',
      'Backspace',
      'table(tr(th(a) th(^b)))',
    ],
    ['does nothing at the start of the document', 'p(^a)', 'Backspace', 'p(^a)'],
    ['joins the blocks of a selection', 'h1(on^e) p(a) p(t^wo/x)', 'Backspace', 'h1(on^wo x)'],
    [
      'keeps the cells of a table that is selected in part',
      'p(a^b) table(tr(th(c) th(d)) tr(td(e^f) td(g)))',
      'Backspace',
      'p(a^) table(tr(th() th()) tr(td(f) td(g)))',
    ],
    ['keeps an image below selected code', 'code(a^b) p(c^@)', 'Backspace', 'code(a^) p(@)'],
    ['deletes the whole document', 'h1(^a) ul(li(p(b)))', 'Ctrl-a Backspace', 'p(^)'],
  ]);
});

describe('Delete', () => {
  cases([
    ['joins two paragraphs', 'p(one^) p(two)', 'Delete', 'p(one^two)'],
    ['joins two items', 'ul(li(p(one^)) li(p(two)))', 'Delete', 'ul(li(p(one^two)))'],
    [
      'joins the first item below',
      'p(one^) ul(li(p(two)) li(p(three)))',
      'Delete',
      'p(one^two) ul(li(p(three)))',
    ],
    [
      'keeps the nested list of the joined item',
      'p(one^) ul(li(p(two) ul(li(p(a)))) li(p(three)))',
      'Delete',
      'p(one^two) ul(li(p(a)) li(p(three)))',
    ],
    [
      'joins the first nested item',
      'ul(li(p(one^) ul(li(p(two)) li(p(three)))))',
      'Delete',
      'ul(li(p(one^two) ul(li(p(three)))))',
    ],
    [
      'joins the block below a nested list',
      'ul(li(p(one) ul(li(p(two^))))) p(three)',
      'Delete',
      'ul(li(p(one) ul(li(p(two^three)))))',
    ],
    ['joins a quote', 'p(one^) quote(p(two) p(three))', 'Delete', 'p(one^two) quote(p(three))'],
    ['deletes an empty quote', 'p(one^) quote(p(two))', 'Delete', 'p(one^two)'],
    [
      'joins text to a heading, with spaces for breaks',
      'h1(one^) p(two/three)',
      'Delete',
      'h1(one^two three)',
    ],
    ['moves a heading up to an empty paragraph', 'p(^) h1(one)', 'Delete', 'h1(^one)'],
    ['moves a list up to an empty paragraph', 'p(^) ul(li(p(one)))', 'Delete', 'ul(li(p(^one)))'],
    [
      'merges the lists around an empty item and paragraph',
      'ul(li(p(one^))) p() ul(li(p(two)))',
      'Delete',
      'ul(li(p(one^)) li(p(two)))',
    ],
    ['deletes a divider', 'p(one^) hr p(two)', 'Delete', 'p(one^) p(two)'],
    ['goes into a table', 'p(a^) table(tr(th(b)))', 'Delete', 'p(a) table(tr(th(^b)))'],
    [
      'moves a table up to an empty paragraph',
      'p(^) table(tr(th(b)))',
      'Delete',
      'table(tr(th(^b)))',
    ],
    [
      'does nothing at the end of a cell',
      'table(tr(th(a^) th(b)))',
      'Delete',
      'table(tr(th(a^) th(b)))',
    ],
    ['joins text to code', 'code(a^) p({b:b}/c)', 'Delete', 'code(a^b/c)'],
    ['does nothing at the end of the document', 'p(a^)', 'Delete', 'p(a^)'],
  ]);
});

describe('Tab and Shift+Tab', () => {
  cases([
    [
      'Tab moves an item into the one above',
      'ul(li(p(one)) li(p(^two)))',
      'Tab',
      'ul(li(p(one) ul(li(p(^two)))))',
    ],
    [
      'Tab moves an item into the nested list above',
      'ol(li(p(one) ol(li(p(two)))) li(p(three^)))',
      'Tab',
      'ol(li(p(one) ol(li(p(two)) li(p(three^)))))',
    ],
    ['Tab does nothing in a first item', 'ul(li(p(^one)))', 'Tab', 'ul(li(p(^one)))'],
    [
      'Tab moves selected items',
      'ul(li(p(one)) li(p(^two)) li(p(three^)))',
      'Tab',
      'ul(li(p(one) ul(li(p(^two)) li(p(three^)))))',
    ],
    [
      'Shift+Tab moves an item to the outer list',
      'ul(li(p(one) ul(li(p(^two)) li(p(three)))))',
      'Shift-Tab',
      'ul(li(p(one)) li(p(^two) ul(li(p(three)))))',
    ],
    [
      'Shift+Tab moves an item out of the list',
      'ul(li(p(one)) li(p(^two)))',
      'Shift-Tab',
      'ul(li(p(one))) p(^two)',
    ],
    ['Tab goes to the next cell', 'table(tr(th(a^) th(b)))', 'Tab "c"', 'table(tr(th(a) th(bc^)))'],
    [
      'Tab goes to the next row',
      'table(tr(th(a) th(b^)) tr(td(c) td(d)))',
      'Tab',
      'table(tr(th(a) th(b)) tr(td(c^) td(d)))',
    ],
    [
      'Tab adds a row after the last cell',
      'table(tr(th(a) th(b^)))',
      'Tab',
      'table(tr(th(a) th(b)) tr(td(^) td()))',
    ],
    [
      'Shift+Tab goes to the previous row',
      'table(tr(th(a) th(b)) tr(td(c^) td(d)))',
      'Shift-Tab',
      'table(tr(th(a) th(b^)) tr(td(c) td(d)))',
    ],
    [
      'Shift+Tab stays in the first cell',
      'table(tr(th(a^) th(b)))',
      'Shift-Tab',
      'table(tr(th(a^) th(b)))',
    ],
  ]);

  it.each(['p(a^)', 'h1(^a)', 'code(a^)', 'quote(p(a^))'])(
    'move the focus out of %s',
    (outline) => {
      const keyboard = new Keyboard(outline);
      keyboard.press('Tab Shift-Tab');
      expect(keyboard.leftBy).toEqual(['Tab', 'Shift-Tab']);
      expect(keyboard.outline).toBe(outline);
    },
  );

  it.each(['ul(li(p(a)) li(p(b^)))', 'table(tr(th(a^)))'])(
    'move the focus out of %s after Escape',
    (outline) => {
      const keyboard = new Keyboard(outline);
      keyboard.press('Escape Tab Escape Shift Shift-Tab');
      expect(keyboard.leftBy).toEqual(['Tab', 'Shift-Tab']);
      expect(keyboard.outline).toBe(outline);
    },
  );

  it('Tab moves an item again after Escape and another key', () => {
    const keyboard = new Keyboard('ul(li(p(a)) li(p(^b)))');
    keyboard.press('Escape End Tab');
    expect(keyboard.leftBy).toEqual([]);
    expect(keyboard.outline).toBe('ul(li(p(a) ul(li(p(b^)))))');
  });
});

describe('Arrows at the end of the document', () => {
  cases([
    [
      'ArrowDown leaves a table',
      'table(tr(th(a) th(b)) tr(td(^c) td(d)))',
      'ArrowDown',
      'table(tr(th(a) th(b)) tr(td(c) td(d))) p(^)',
    ],
    [
      'ArrowRight leaves a table',
      'table(tr(th(a) th(b^)))',
      'ArrowRight',
      'table(tr(th(a) th(b))) p(^)',
    ],
    ['ArrowDown leaves code', 'code(a/b^)', 'ArrowDown', 'code(a/b) p(^)'],
    ['ArrowRight leaves code', 'code(a^)', 'ArrowRight', 'code(a) p(^)'],
    [
      'ArrowDown leaves code in an item',
      'ul(li(p(a) code(b^)))',
      'ArrowDown',
      'ul(li(p(a) code(b))) p(^)',
    ],
    ['ArrowDown stays in code above the last line', 'code(a^/b)', 'ArrowDown', 'code(a^/b)'],
    [
      'ArrowRight stays in a cell with text after the caret',
      'table(tr(th(^a)))',
      'ArrowRight',
      'table(tr(th(a^)))',
    ],
    ['ArrowDown adds nothing above other blocks', 'code(a^) p(b)', 'ArrowDown', 'code(a^) p(b)'],
    ['ArrowDown adds nothing after a paragraph', 'p(a^)', 'ArrowDown', 'p(a^)'],
  ]);
});

describe('Marks', () => {
  cases([
    ['Ctrl+B makes what is typed next bold', 'p(a^)', 'Ctrl-b "bc" Ctrl-b "d"', 'p(a{b:bc}d^)'],
    ['Ctrl+I makes the selection italic', 'p(a^bc^)', 'Ctrl-i', 'p(a{i:^bc}^)'],
    ['Ctrl+E makes the selection code', 'p(^ab^c)', 'Ctrl-e', 'p({c:^ab}^c)'],
    ['Ctrl+Shift+X strikes the selection', 'h1(^ab^)', 'Ctrl-Shift-x', 'h1({s:^ab}^)'],
    ['Ctrl+B makes a partly bold selection bold', 'p(^a{b:b}^)', 'Ctrl-b', 'p({b:^ab}^)'],
    ['Ctrl+B removes bold from a bold selection', 'p({b:a^b^c})', 'Ctrl-b', 'p({b:a}^b{b:^c})'],
    [
      'Ctrl+B leaves spaces at the ends of a selection alone',
      'p(a^ b ^c)',
      'Ctrl-b',
      'p(a^ {b:b} ^c)',
    ],
    [
      'Ctrl+B works over several blocks',
      'p(a^b) ul(li(p(c^d)))',
      'Ctrl-b',
      'p(a{b:^b}) ul(li(p({b:c}^d)))',
    ],
    ['Ctrl+B does nothing in code', 'code(^ab^)', 'Ctrl-b', 'code(^ab^)'],
  ]);
});

describe('Kinds of blocks', () => {
  cases([
    ['Ctrl+Alt+2 makes a heading', 'p(a^)', 'Ctrl-Alt-2', 'h2(a^)'],
    ['Ctrl+Alt+3 changes the level of a heading', 'h1(a^)', 'Ctrl-Alt-3', 'h3(a^)'],
    ['Ctrl+Alt+1 puts spaces for the breaks of a paragraph', 'p(a/b^)', 'Ctrl-Alt-1', 'h1(a b^)'],
    ['Ctrl+Alt+0 makes a paragraph', 'h1(^a)', 'Ctrl-Alt-0', 'p(^a)'],
    [
      'Ctrl+Alt+0 makes paragraphs of headings and code',
      'h1(^a) code(b/c^)',
      'Ctrl-Alt-0',
      'p(^a) p(b/c^)',
    ],
    ['Ctrl+Alt+0 takes an item out of its list', 'ul(li(p(^a)))', 'Ctrl-Alt-0', 'p(^a)'],
    ['Ctrl+Alt+1 is refused in an item', 'ul(li(p(^a)))', 'Ctrl-Alt-1', 'ul(li(p(^a)))'],
    ['Ctrl+Alt+1 is refused in a cell', 'table(tr(th(^a)))', 'Ctrl-Alt-1', 'table(tr(th(^a)))'],
    [
      'Ctrl+Alt+1 changes the paragraphs of a selection and not the items',
      'p(^a) ul(li(p(b))) p(c^)',
      'Ctrl-Alt-1',
      'h1(^a) ul(li(p(b))) h1(c^)',
    ],
    ['Ctrl+Shift+8 makes a bullet list', 'p(a^)', 'Ctrl-Shift-8', 'ul(li(p(a^)))'],
    ['Ctrl+Shift+8 again takes the item out', 'p(a^)', 'Ctrl-Shift-8 Ctrl-Shift-8', 'p(a^)'],
    [
      'Ctrl+Shift+7 makes one list of several blocks',
      'p(^a) h1(b) p(c^)',
      'Ctrl-Shift-7',
      'ol(li(p(^a)) li(p(b)) li(p(c^)))',
    ],
    ['Ctrl+Shift+9 makes tasks', 'p(^a) p(b^)', 'Ctrl-Shift-9', 'ul(open(p(^a)) open(p(b^)))'],
    [
      'Ctrl+Shift+8 merges with the lists around',
      'ul(li(p(a))) p(b^) ul(li(p(c)))',
      'Ctrl-Shift-8',
      'ul(li(p(a)) li(p(b^)) li(p(c)))',
    ],
    [
      'Ctrl+Shift+8 takes in the lists of a selection',
      'p(^a) ol(li(p(b)) li(p(c))) p(d^)',
      'Ctrl-Shift-8',
      'ul(li(p(^a)) li(p(b)) li(p(c)) li(p(d^)))',
    ],
    [
      'Ctrl+Shift+7 changes a bullet list',
      'ul(li(p(a^)) li(p(b)))',
      'Ctrl-Shift-7',
      'ol(li(p(a^)) li(p(b)))',
    ],
    [
      'Ctrl+Shift+9 makes one item a task',
      'ul(li(p(a^)) li(p(b)))',
      'Ctrl-Shift-9',
      'ul(open(p(a^)) li(p(b)))',
    ],
    ['Ctrl+Shift+8 removes a checkbox', 'ul(done(p(a^)))', 'Ctrl-Shift-8', 'ul(li(p(a^)))'],
    [
      'Ctrl+Shift+7 removes the checkboxes of a list',
      'ul(done(p(a^)) open(p(b)))',
      'Ctrl-Shift-7',
      'ol(li(p(a^)) li(p(b)))',
    ],
    [
      'Ctrl+Shift+8 leaves code in a selection alone',
      'p(^a) code(b) p(c^)',
      'Ctrl-Shift-8',
      'ul(li(p(^a))) code(b) ul(li(p(c^)))',
    ],
    [
      'Ctrl+Shift+8 works in a quote',
      'quote(p(^a) p(b^))',
      'Ctrl-Shift-8',
      'quote(ul(li(p(^a)) li(p(b^))))',
    ],
    ['Ctrl+Shift+8 is refused in a cell', 'table(tr(th(^a)))', 'Ctrl-Shift-8', 'table(tr(th(^a)))'],
    [
      'Ctrl+Shift+8 takes the items of two lists out',
      'ul(li(p(^a))) hr ul(li(p(b^)) li(p(c)))',
      'Ctrl-Shift-8',
      'p(^a) hr p(b^) ul(li(p(c)))',
    ],
  ]);
});

describe('Conversions', () => {
  cases([
    ['"# " makes a heading', 'p(^a)', '"# "', 'h1(^a)'],
    ['"## " makes spaces of breaks', 'p(^a/b)', '"## "', 'h2(^a b)'],
    ['"# " stays text in an item', 'ul(li(p(^a)))', '"# "', 'ul(li(p(# ^a)))'],
    ['"# " stays text in a cell', 'table(tr(th(^a)))', '"# "', 'table(tr(th(# ^a)))'],
    ['"# " stays text in code', 'code(^a)', '"# "', 'code(# ^a)'],
    ['"- " makes a bullet list', 'p(^a)', '"- "', 'ul(li(p(^a)))'],
    [
      '"- " merges with the lists around',
      'ul(li(p(a))) p(^b) ul(li(p(c)))',
      '"- "',
      'ul(li(p(a)) li(p(^b)) li(p(c)))',
    ],
    ['"- " stays text at the start of an item', 'ul(li(p(^a)))', '"- "', 'ul(li(p(- ^a)))'],
    ['"1. " makes an ordered list', 'p(^)', '"1. "', 'ol(li(p(^)))'],
    ['"2. " continues an ordered list', 'ol(li(p(a))) p(^)', '"2. "', 'ol(li(p(a)) li(p(^)))'],
    ['"1. " starts another list', 'ol(li(p(a))) p(^)', '"1. "', 'ol(li(p(a))) ol(li(p(^)))'],
    ['"> " makes a quote', 'p(^a)', '"> "', 'quote(p(^a))'],
    ['"[] " makes a task', 'p(^a)', '"[] "', 'ul(open(p(^a)))'],
    ['"[] " makes an item a task', 'ul(li(p(^a)))', '"[] "', 'ul(open(p(^a)))'],
    ['"- [x] " makes a done task', 'p(^a)', '"- [x] "', 'ul(done(p(^a)))'],
    ['"---" makes a divider', 'p(^)', '"---"', 'hr p(^)'],
    ['"---" stays text before other text', 'p(^a)', '"---"', 'p(---^a)'],
    ['"---" stays text in an item', 'ul(li(p(^)))', '"---"', 'ul(li(p(---^)))'],
    ['"**x**" makes bold text', 'p(a ^)', '"**x** b"', 'p(a {b:x} b^)'],
    ['"*x*" makes italic text', 'p(^)', '"*x y*."', 'p({i:x y}.^)'],
    ['"`x`" makes code', 'p(^)', '"`x`y"', 'p({c:x}y^)'],
    ['"~~x~~" strikes text', 'p(^)', '"~~x~~y"', 'p({s:x}y^)'],
    ['"**x**" keeps images and marks', 'p(**{i:a}@b*^)', '"*"', 'p({b:{i:a}@b}^)'],
    ['"2 * 3 * 4" stays text', 'p(^)', '"2 * 3 * 4"', 'p(2 * 3 * 4^)'],
    ['"**x**" stays text in inline code', 'p({c:**x*^})', '"*"', 'p({c:**x**}^)'],
    ['"```js" and Enter make code', 'p(^)', '"```js" Enter "a"', 'code(a^)'],
    [
      '"| a | b |" and Enter make a table',
      'p(^)',
      '"| a | b |" Enter',
      'table(tr(th(a) th(b)) tr(td(^) td()))',
    ],
    [
      '"| a | b |" and Enter keep marks',
      'p(| {b:a} | b |^)',
      'Enter',
      'table(tr(th({b:a}) th(b)) tr(td(^) td()))',
    ],
    ['"|a|" and Enter stay text', 'p(|a|^)', 'Enter', 'p(|a|) p(^)'],
    [
      '"```" and Enter stay text in a task',
      'ul(open(p(```^)))',
      'Enter',
      'ul(open(p(```)) open(p(^)))',
    ],
  ]);

  cases([
    ['Backspace gives back "# "', 'p(^a)', '"# " Backspace', 'p(# ^a)'],
    [
      'Backspace gives back "- "',
      'ul(li(p(a))) p(^b) ul(li(p(c)))',
      '"- " Backspace',
      'ul(li(p(a))) p(- ^b) ul(li(p(c)))',
    ],
    ['Backspace gives back "1. "', 'p(^)', '"1. " Backspace', 'p(1. ^)'],
    ['Backspace gives back "> "', 'p(^)', '"> " Backspace', 'p(> ^)'],
    ['Backspace gives back "[] "', 'p(^)', '"[] " Backspace', 'p([] ^)'],
    ['Backspace gives back "---"', 'p(^)', '"---" Backspace', 'p(---^)'],
    ['Backspace gives back "**x**"', 'p(^)', '"**x**" Backspace', 'p(**x**^)'],
    ['Backspace gives back "`x`"', 'p(^)', '"`x`" Backspace', 'p(`x`^)'],
    ['Backspace gives back "```js"', 'p(^)', '"```js" Enter Backspace', 'p(```js^)'],
    ['Backspace gives back "| a | b |"', 'p(^)', '"| a | b |" Enter Backspace', 'p(| a | b |^)'],
    ['Backspace after typing deletes a letter', 'p(^)', '"# ab" Backspace', 'h1(a^)'],
  ]);
});

describe('Moving and copying', () => {
  cases([
    ['Alt+ArrowUp moves a block', 'p(a) h1(b^)', 'Alt-ArrowUp', 'h1(b^) p(a)'],
    ['Alt+ArrowDown moves a block', 'p(a^) h1(b) p(c)', 'Alt-ArrowDown', 'h1(b) p(a^) p(c)'],
    [
      'Alt+ArrowUp moves an item with its nested list',
      'ul(li(p(a)) li(p(b^) ul(li(p(c)))))',
      'Alt-ArrowUp',
      'ul(li(p(b^) ul(li(p(c)))) li(p(a)))',
    ],
    ['Alt+ArrowDown moves several blocks', 'p(^a) p(b^) p(c)', 'Alt-ArrowDown', 'p(c) p(^a) p(b^)'],
    ['Alt+ArrowUp stays in the list', 'p(a) ul(li(p(b^)))', 'Alt-ArrowUp', 'p(a) ul(li(p(b^)))'],
    [
      'Alt+ArrowDown moves a table',
      'table(tr(th(a^))) p(b)',
      'Alt-ArrowDown',
      'p(b) table(tr(th(a^)))',
    ],
    [
      'Shift+Alt+ArrowDown copies a block and goes to the lower one',
      'p(a^) p(b)',
      'Shift-Alt-ArrowDown',
      'p(a) p(a^) p(b)',
    ],
    [
      'Shift+Alt+ArrowUp copies a block and stays in the upper one',
      'p(a^) p(b)',
      'Shift-Alt-ArrowUp',
      'p(a^) p(a) p(b)',
    ],
    [
      'Shift+Alt+ArrowDown copies an item',
      'ul(li(p(a^)))',
      'Shift-Alt-ArrowDown',
      'ul(li(p(a)) li(p(a^)))',
    ],
  ]);
});

/** Title, document before, command, document after. The command does not apply if the document stays. */
type CommandCase = [title: string, before: string, command: Command, after: string];

const commandCases = (list: readonly CommandCase[]): void => {
  it.each(list)('%s', (_, before, command, after) => {
    const keyboard = new Keyboard(before);
    expect(keyboard.run(command)).toBe(before !== after);
    expect(keyboard.outline).toBe(after);
  });
};

describe('Link commands', () => {
  const href = 'https://other.example';
  commandCases([
    [
      'setLink inserts a link at the caret',
      'p(a^)',
      commands.setLink({ text: 'b', href }),
      'p(a{a:b}^)',
    ],
    [
      'setLink links the selection',
      'p(a^bc^d)',
      commands.setLink({ text: 'bc', href }),
      'p(a{a:bc}^d)',
    ],
    [
      'setLink keeps the marks of the selection',
      'p(^a{b:bc}^)',
      commands.setLink({ text: 'abcd', href }),
      'p({a:a{b:bcd}}^)',
    ],
    [
      'setLink changes the whole link at the caret',
      'p(a {a:b^c} d)',
      commands.setLink({ text: 'xc', href }),
      'p(a {a:xc}^ d)',
    ],
    [
      'setLink keeps the image of a link',
      'p({a:^@b})',
      commands.setLink({ text: 'c', href }),
      'p({a:@b}^)',
    ],
    [
      'setLink shows the address without a text',
      'p(^)',
      commands.setLink({ text: '', href: 'x' }),
      'p({a:x}^)',
    ],
    [
      'setLink does not apply in code',
      'code(^a)',
      commands.setLink({ text: 'a', href }),
      'code(^a)',
    ],
    [
      'setLink does not apply to several blocks',
      'p(a^b) p(c^d)',
      commands.setLink({ text: 'a', href }),
      'p(a^b) p(c^d)',
    ],
    [
      'removeLink unlinks the whole link at the caret',
      'p(a {a:b{b:^c}} d)',
      commands.removeLink,
      'p(a b{b:^c} d)',
    ],
    ['removeLink does not apply outside a link', 'p(a^)', commands.removeLink, 'p(a^)'],
  ]);

  it.each([
    'p(a {a:^b{b:c}} d)',
    'p(a {a:b{b:c}}^ d)',
    'p(a {a:b{b:^c}} d)',
    'p(a {a:^b{b:c}}^ d)',
  ])('linkAround returns the whole link in %s', (outline) => {
    expect(commands.linkAround(stateOf(outline))).toEqual({
      from: 3,
      to: 5,
      href: 'https://example.com',
      title: null,
      text: 'bc',
    });
  });

  it.each(['p(a^ {a:b})', 'p(^a {a:b}^)', 'code(a^)', 'p({a:a^b}) p(c^)'])(
    'linkAround finds no link in %s',
    (outline) => {
      expect(commands.linkAround(stateOf(outline))).toBeUndefined();
    },
  );

  it('setLink keeps the title of a link', () => {
    const title = 'Title';
    const text = schema.text('a', [schema.marks.link.create({ href: 'x', title })]);
    const doc = schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, text));
    const keyboard = new Keyboard({ doc, caret: 1 });
    keyboard.run(commands.setLink({ text: 'a', href }));
    expect(commands.linkAround(keyboard.state)).toMatchObject({ href, title });
  });
});

describe('Insert commands', () => {
  const image = commands.insertImage({ src: 'x.png', alt: '' });
  commandCases([
    [
      'insertTable replaces an empty paragraph',
      'p(^) p(a)',
      commands.insertTable(2, 2),
      'table(tr(th(^) th()) tr(td() td())) p(a)',
    ],
    [
      'insertTable goes below a paragraph with text',
      'p(a^b)',
      commands.insertTable(1, 1),
      'p(ab) table(tr(th(^)))',
    ],
    [
      'insertTable does not apply in a cell',
      'table(tr(th(^a)))',
      commands.insertTable(1, 1),
      'table(tr(th(^a)))',
    ],
    ['insertCodeBlock replaces an empty paragraph', 'p(^)', commands.insertCodeBlock, 'code(^)'],
    [
      'insertCodeBlock goes below the text of a task',
      'ul(open(p(^)))',
      commands.insertCodeBlock,
      'ul(open(p() code(^)))',
    ],
    ['insertRule adds a paragraph below', 'p(^)', commands.insertRule, 'hr p(^)'],
    ['insertRule goes below a heading', 'h1(a^) p(b)', commands.insertRule, 'h1(a) hr p(^) p(b)'],
    [
      'insertRule goes below the whole list',
      'ul(li(p(a^)) li(p(b)))',
      commands.insertRule,
      'ul(li(p(a)) li(p(b))) hr p(^)',
    ],
    [
      'insertRule stays in a quote',
      'quote(p(a^) p(b))',
      commands.insertRule,
      'quote(p(a) hr p(^) p(b))',
    ],
    ['insertImage goes to the caret', 'h1(a^b)', image, 'h1(a@^b)'],
    ['insertImage goes after the selection', 'p(^a^b)', image, 'p(a@^b)'],
    ['insertImage does not apply in code', 'code(^a)', image, 'code(^a)'],
    [
      'toggleTaskAt checks a task',
      'p(^a) ul(open(p(b)))',
      commands.toggleTaskAt(4),
      'p(^a) ul(done(p(b)))',
    ],
    [
      'toggleTaskAt unchecks a task around a position',
      'p(^a) ul(done(p(b)))',
      commands.toggleTaskAt(6),
      'p(^a) ul(open(p(b)))',
    ],
    [
      'toggleTaskAt does not apply to an item',
      'p(^a) ul(li(p(b)))',
      commands.toggleTaskAt(4),
      'p(^a) ul(li(p(b)))',
    ],
  ]);
});

describe('Quote command', () => {
  commandCases([
    [
      'toggleQuote quotes several blocks',
      'p(a) h1(^b) p(c^)',
      commands.toggleQuote,
      'p(a) quote(h1(^b) p(c^))',
    ],
    [
      'toggleQuote quotes a whole list',
      'ul(li(p(^a)) li(p(b)))',
      commands.toggleQuote,
      'quote(ul(li(p(^a)) li(p(b))))',
    ],
    [
      'toggleQuote takes a block out',
      'quote(p(a) p(^b) p(c))',
      commands.toggleQuote,
      'quote(p(a)) p(^b) quote(p(c))',
    ],
    ['toggleQuote takes a list out', 'quote(ul(li(p(a^))))', commands.toggleQuote, 'ul(li(p(a^)))'],
  ]);
});

describe('Table commands', () => {
  const table = 'table(tr(th(a) th(b)) tr(td(c^) td(d)))';
  commandCases([
    [
      'addRowBefore adds a row',
      table,
      commands.addRowBefore,
      'table(tr(th(a) th(b)) tr(td() td()) tr(td(c^) td(d)))',
    ],
    [
      'addRowAfter adds a row',
      table,
      commands.addRowAfter,
      'table(tr(th(a) th(b)) tr(td(c^) td(d)) tr(td() td()))',
    ],
    [
      'addRowBefore the header adds a header',
      'table(tr(th(^a)))',
      commands.addRowBefore,
      'table(tr(th()) tr(td(^a)))',
    ],
    [
      'addColumnBefore adds a column',
      table,
      commands.addColumnBefore,
      'table(tr(th() th(a) th(b)) tr(td() td(c^) td(d)))',
    ],
    [
      'addColumnAfter adds a column',
      table,
      commands.addColumnAfter,
      'table(tr(th(a) th() th(b)) tr(td(c^) td() td(d)))',
    ],
    [
      'deleteRow removes a row',
      'table(tr(th(a)) tr(td(^b)) tr(td(c)))',
      commands.deleteRow,
      'table(tr(th(a)) tr(td(^c)))',
    ],
    [
      'deleteRow makes the next row the header',
      'table(tr(th(a^)) tr(td(b)))',
      commands.deleteRow,
      'table(tr(th(^b)))',
    ],
    ['deleteRow removes a table of one row', 'table(tr(th(a^))) p(b)', commands.deleteRow, 'p(^b)'],
    [
      'deleteColumn removes a column',
      'table(tr(th(a) th(b)) tr(td(c) td(d^)))',
      commands.deleteColumn,
      'table(tr(th(a)) tr(td(c^)))',
    ],
    [
      'deleteColumn removes a table of one column',
      'p(a) table(tr(th(b^)))',
      commands.deleteColumn,
      'p(a^)',
    ],
    ['deleteTable leaves a paragraph', table, commands.deleteTable, 'p(^)'],
    ['deleteTable does not apply outside a table', 'p(^)', commands.deleteTable, 'p(^)'],
  ]);

  const alignmentsOf = ({ state }: Keyboard) => {
    const found: unknown[] = [];
    state.doc.descendants(({ attrs, type }) => {
      if (type.spec['tableRole'] === 'cell' || type.spec['tableRole'] === 'header_cell')
        found.push(attrs['align']);
    });
    return found;
  };

  it('setAlignment aligns a column, and Tab and Enter copy the alignment to new rows', () => {
    const keyboard = new Keyboard('table(tr(th(a) th(b^)))');
    keyboard.run(commands.setAlignment('right'));
    keyboard.press('Tab Enter');
    expect(alignmentsOf(keyboard)).toEqual([null, 'right', null, 'right', null, 'right']);
    keyboard.run(commands.addRowBefore);
    keyboard.press('Tab');
    keyboard.run(commands.setAlignment(null));
    expect(alignmentsOf(keyboard)).toEqual(Array.from({ length: 8 }, () => null));
  });
});

describe('State of the selection', () => {
  it.each([
    ['p(^a)', 'paragraph'],
    ['h2(^a)', 'heading'],
    ['ul(li(p(^a)))', 'bullet_list'],
    ['ol(li(p(a) p(^a)))', 'ordered_list'],
    ['ul(open(p(^a)))', 'task_list'],
    ['quote(p(^a))', 'blockquote'],
    ['ul(li(quote(p(^a))))', 'blockquote'],
    ['quote(ul(li(p(^a))))', 'bullet_list'],
    ['code(^a)', 'code_block'],
    ['html(^a)', 'raw_block'],
    ['table(tr(th(^a)))', 'table'],
    ['p(^a) p(b^)', 'paragraph'],
    ['p(^a) h1(b^)', 'mixed'],
  ])('blockKindOf says that %s is a %s', (outline, kind) => {
    expect(commands.blockKindOf(stateOf(outline))).toBe(kind);
  });

  it.each([
    ['p({b:a^})', true],
    ['p({b:a}b^)', false],
    ['p(^{b:a b}^)', true],
    ['p(^{b:a} {b:b}^)', true],
    ['p(^{b:a} b^)', false],
  ])('isMarkOn says whether %s is bold: %s', (outline, isOn) => {
    expect(commands.isMarkOn(stateOf(outline), schema.marks.strong)).toBe(isOn);
  });

  it('isMarkOn knows what is typed next', () => {
    const keyboard = new Keyboard('p(a^)');
    keyboard.press('Ctrl-b');
    expect(commands.isMarkOn(keyboard.state, schema.marks.strong)).toBe(true);
  });
});

describe('Keys of an input method', () => {
  it.each(['Enter', 'Backspace', 'Tab', 'Ctrl-b', '"a"'])(
    '%s changes nothing by itself while composing',
    (keys) => {
      const keyboard = new Keyboard('ul(li(p(a)) li(p(^b)))');
      keyboard.composing = true;
      const { state } = keyboard;
      keyboard.press(keys);
      if (keys === '"a"') expect(keyboard.outline).toBe('ul(li(p(a)) li(p(a^b)))');
      else expect(keyboard.state).toBe(state);
    },
  );
});

/** Title, Markdown before with `^` at the caret, keys, Markdown after. */
type MarkdownCase = [title: string, before: string, keys: string, after: string];

describe('Markdown after keys', () => {
  const list: MarkdownCase[] = [
    ['Home and typing in a heading', '## Title^', 'Home "New "', '## New Title'],
    ['Home and typing in an item', '* one\n* two^', 'Home "My "', '* one\n* My two'],
    ['Home and typing in a quote', '> one^', 'Home "a "', '> a one'],
    ['Enter in a paragraph', 'one^ two', 'Enter', 'one\n\ntwo'],
    ['Enter and typing after a heading', '# one^', 'Enter "two"', '# one\n\ntwo'],
    ['Enter and typing in an item', '* one^\n* three', 'Enter "two"', '* one\n* two\n* three'],
    [
      'Enter and typing in an ordered item',
      '1. one^\n2. three',
      'Enter "two"',
      '1. one\n2. two\n3. three',
    ],
    ['Enter and typing in a done task', '- [x] one^', 'Enter "two"', '- [x] one\n- [ ] two'],
    [
      'Enter twice and typing in a list',
      '- one^\n\nthree',
      'Enter Enter "two"',
      '- one\n\ntwo\n\nthree',
    ],
    [
      'Enter twice and typing in a nested list',
      '- one\n  - two^',
      'Enter Enter "three"',
      '- one\n  - two\n- three',
    ],
    ['Enter twice and typing in a quote', '> one^', 'Enter Enter "two"', '> one\n\ntwo'],
    [
      'Enter in a table',
      '| a | b |\n| - | -: |\n| c^ | d |',
      'Enter "e"',
      '| a | b |\n| - | -: |\n| c | d |\n| e |  |',
    ],
    ['Enter in code', '```js\na^\n```', 'Enter "b"', '```js\na\nb\n```'],
    [
      'Enter three times and typing in code',
      '```js\na^\n```',
      'Enter Enter "b"',
      '```js\na\n```\n\nb',
    ],
    ['Shift+Enter in a paragraph', 'one^two', 'Shift-Enter', 'one\\\ntwo'],
    [
      'Shift+Enter in a cell',
      '| a | b |\n| - | - |\n| c^d | e |',
      'Shift-Enter',
      '| a | b |\n| - | - |\n| c<br>d | e |',
    ],
    ['Shift+Enter in a heading', '## one^two', 'Shift-Enter', '## one\n\n## two'],
    ['Backspace in a heading', '## ^one', 'Backspace', 'one'],
    ['Backspace in a task', '- [x] ^one', 'Backspace', '- one'],
    ['Backspace in an item', '- one\n- ^two', 'Backspace', '- one\n\ntwo'],
    ['Backspace twice in an item', '- one\n- ^two', 'Backspace Backspace', '- onetwo'],
    ['Backspace in a nested item', '- one\n  - ^two', 'Backspace', '- one\n- two'],
    ['Backspace in a quote', '> ^one', 'Backspace', 'one'],
    ['Backspace in a paragraph', 'one\n\n^two', 'Backspace', 'onetwo'],
    ['Backspace between two lists', '- one\n\n^two\n\n- three', 'Backspace', '- onetwo\n- three'],
    ['Delete between two paragraphs', 'one^\n\ntwo', 'Delete', 'onetwo'],
    ['Delete between two items', '- one^\n- two', 'Delete', '- onetwo'],
    ['Tab in an item', '- one\n- two^', 'Tab', '- one\n  - two'],
    ['Shift+Tab in a nested item', '- one\n  - two^', 'Shift-Tab', '- one\n- two'],
    [
      'Tab and typing in the last cell',
      '| a | b |\n| - | - |\n| c | d^ |',
      'Tab "e"',
      '| a | b |\n| - | - |\n| c | d |\n| e |  |',
    ],
    [
      'ArrowDown and typing after a table',
      '| a |\n| - |\n| b^ |',
      'ArrowDown "c"',
      '| a |\n| - |\n| b |\n\nc',
    ],
    ['ArrowRight and typing after code', '```\na^\n```', 'ArrowRight "b"', '```\na\n```\n\nb'],
    ['Ctrl+B and typing', 'a^', '" " Ctrl-b "b" Ctrl-b "c"', 'a **b**c'],
    ['Ctrl+I and typing', 'a^', '" " Ctrl-i "b"', 'a *b*'],
    ['Ctrl+E and typing', 'a^', '" " Ctrl-e "b"', 'a `b`'],
    ['Ctrl+Shift+X and typing', 'a^', '" " Ctrl-Shift-x "b"', 'a ~~b~~'],
    ['Ctrl+Alt+2', 'a^', 'Ctrl-Alt-2', '## a'],
    ['Ctrl+Alt+0', '## a^', 'Ctrl-Alt-0', 'a'],
    ['Ctrl+Shift+7', 'a^', 'Ctrl-Shift-7', '1. a'],
    ['Ctrl+Shift+8', 'a^', 'Ctrl-Shift-8', '- a'],
    ['Ctrl+Shift+9', 'a^', 'Ctrl-Shift-9', '- [ ] a'],
    ['"# "', '^a', '"# "', '# a'],
    ['"- "', '^a', '"- "', '- a'],
    ['"* "', '^a', '"* "', '* a'],
    ['"3) "', '^a', '"3) "', '3) a'],
    ['"> "', '^a', '"> "', '> a'],
    ['"[] "', '^a', '"[] "', '- [ ] a'],
    ['"```js", Enter and typing', '^', '"```js" Enter "a"', '```js\na\n```'],
    ['"---" and typing', '^', '"---" "a"', '---\n\na'],
    ['"**a**"', '^', '"**a** b"', '**a** b'],
    ['"`a`"', '^', '"`a` b"', '`a` b'],
    [
      '"| a | b |", Enter and typing',
      '^',
      '"| a | b |" Enter "c"',
      '| a | b |\n| --- | --- |\n| c |  |',
    ],
    ['"# " and Backspace', '^a', '"# " Backspace', '\\# a'],
    ['Alt+ArrowUp on an item', '- one\n- two^', 'Alt-ArrowUp', '- two\n- one'],
    ['Shift+Alt+ArrowDown on a paragraph', '*one*^', 'Shift-Alt-ArrowDown', '*one*\n\n*one*'],
  ];

  it.each(list)('%s', (_, before, keys, after) => {
    const sources = new Sources();
    const doc = sources.read(before.replace('^', ''));
    const caret = sources.positionAt(doc, before.indexOf('^'), -1) ?? 1;
    const keyboard = new Keyboard({ doc, caret });
    keyboard.press(keys);
    expect(sources.write(keyboard.state.doc)).toBe(after);
  });
});

describe('Random keys', () => {
  const BLOCKS = [
    'p(abc)',
    'p({b:ab} c/d@)',
    'p()',
    'h1(abc)',
    'h2(ab@)',
    'ul(li(p(ab)) li(p(cd) ul(li(p(ef)) li(p(gh)))))',
    'ul(li(p(ab) p(cd)) li(p(ef) code(gh/ab)))',
    'ol(li(p(ab)) li(p(cd) ul(open(p(ef)))))',
    'ul(open(p(ab)) done(p(cd/ef)) open(p()))',
    'quote(p(ab) p(cd))',
    'quote(ul(li(p(ab))) h2(cd))',
    'ul(li(quote(p(ab) p(cd))) li(h2(ef) p(gh)))',
    'ul(li(p(ab) table(tr(th(cd)) tr(td(ef)))))',
    'table(tr(th(ab) th(cd)) tr(td(ef/gh) td({a:ab})))',
    'code(ab/cd)',
    'html(<a>/gh)',
    'hr',
  ];
  const KEYS = [
    ...[
      'Enter',
      'Enter',
      'Enter',
      'Shift-Enter',
      'Backspace',
      'Backspace',
      'Backspace',
      'Delete',
      'Delete',
    ],
    ...['Tab', 'Shift-Tab', 'Home', 'End', 'ArrowLeft', 'ArrowRight', 'ArrowDown', 'Ctrl-a'],
    ...['Ctrl-b', 'Ctrl-e', 'Ctrl-Alt-0', 'Ctrl-Alt-1', 'Ctrl-Alt-2'],
    ...['Ctrl-Shift-7', 'Ctrl-Shift-8', 'Ctrl-Shift-9'],
    ...[
      'Alt-ArrowUp',
      'Alt-ArrowDown',
      'Shift-Alt-ArrowUp',
      'Shift-Alt-ArrowDown',
      'Ctrl-z',
      'Ctrl-Shift-z',
    ],
    ...['"a"', '"b"', '" "', '"# "', '"- "', '"1. "', '"> "', '"[] "', '"---"', '"**b**"', '"`c`"'],
    ...['"```js" Enter', '"| a | b |" Enter'],
  ];
  const COMMANDS: Readonly<Record<string, Command>> = {
    toggleQuote: commands.toggleQuote,
    setParagraph: commands.setParagraph,
    toggleBulletList: commands.toggleBulletList,
    toggleTaskList: commands.toggleTaskList,
    insertTable: commands.insertTable(2, 2),
    insertCodeBlock: commands.insertCodeBlock,
    insertRule: commands.insertRule,
    insertImage: commands.insertImage({ src: 'y.png', alt: '' }),
    addRowBefore: commands.addRowBefore,
    addRowAfter: commands.addRowAfter,
    addColumnBefore: commands.addColumnBefore,
    addColumnAfter: commands.addColumnAfter,
    setAlignment: commands.setAlignment('right'),
    removeLink: commands.removeLink,
  };

  /** Keys, `run NAME`, or `select FROM TO`. */
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...KEYS) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...Object.keys(COMMANDS)).map((name) => `run ${name}`),
    },
    {
      weight: 3,
      arbitrary: fc
        .oneof(
          fc.tuple(fc.nat(150), fc.nat(150)),
          fc.nat(150).map((caret) => [caret, caret]),
        )
        .map((ends) => `select ${ends.join(' ')}`),
    },
  );

  it('lose no letter, keep the document valid, and can be undone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...BLOCKS), { minLength: 1, maxLength: 5 }),
        fc.nat(150),
        fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }),
        (blocks, caret, steps) => {
          const keyboard = new Keyboard(blocks.join(' '));
          const original = keyboard.state.doc;
          select(keyboard, caret, caret);
          for (const each of steps) {
            const [name, ...values] = each.split(' ');
            if (name === 'run') run(keyboard, values[0] ?? '');
            else if (name === 'select') select(keyboard, Number(values[0]), Number(values[1]));
            else press(keyboard, each);
            checkItems(keyboard.state.doc);
          }
          while (undoDepth(keyboard.state) > 0) keyboard.run(undo);
          expect(keyboard.state.doc.toJSON()).toEqual(original.toJSON());
        },
      ),
      { numRuns: propertyRuns(3000) },
    );
  });

  /** Selects text near two places, or the cells of a table if both are in one. */
  function select(keyboard: Keyboard, from: number, to: number): void {
    const { doc } = keyboard.state;
    const size = doc.content.size + 1;
    const selection = TextSelection.between(doc.resolve(from % size), doc.resolve(to % size));
    const [anchor, head] = [selection.$anchor, selection.$head];
    const isInTable = anchor.depth > 3 && head.depth > 3 && anchor.before(-3) === head.before(-3);
    const isTable = isInTable && anchor.node(-3).type === schema.nodes.table;
    keyboard.dispatch(
      keyboard.state.tr.setSelection(
        isTable && anchor.before(-1) !== head.before(-1)
          ? CellSelection.create(doc, anchor.before(-1), head.before(-1))
          : selection,
      ),
    );
  }

  /** Presses keys and checks that only the selected letters, or the one beside the caret, are gone. */
  function press(keyboard: Keyboard, keys: string): void {
    const { doc, selection } = keyboard.state;
    const before = lettersOf(doc);
    const { $from, empty } = selection;
    const removable: string[] = [];
    if (/^("|Enter|Shift-Enter|Backspace|Delete)/.test(keys))
      for (const range of selection.ranges)
        removable.push(...lettersIn(doc, range.$from.pos, range.$to.pos));
    if (empty && keys === 'Backspace' && $from.parentOffset > 0)
      removable.push(...lettersIn(doc, $from.pos - 1, $from.pos));
    if (empty && keys === 'Delete' && $from.parentOffset < $from.parent.content.size)
      removable.push(...lettersIn(doc, $from.pos, $from.pos + 1));
    keyboard.press(keys);
    if (/z$/.test(keys)) return;
    const typed = keys.startsWith('"') ? lettersOfText(keys.replace('Enter', '')) : [];
    expectLetters(
      keyboard.state.doc,
      [...before, ...typed],
      removable,
      keys.startsWith('Shift-Alt'),
    );
  }

  /** Runs a command and checks that it removes no letter, and that it says beforehand whether it applies. */
  function run(keyboard: Keyboard, name: string): void {
    const command = COMMANDS[name];
    if (!command) return;
    const before = lettersOf(keyboard.state.doc);
    const applies = command(keyboard.state);
    expect([name, keyboard.run(command)]).toEqual([name, applies]);
    expectLetters(keyboard.state.doc, before, [], name === 'insertImage');
  }

  function expectLetters(
    doc: Node,
    expected: string[],
    removable: string[],
    mayAdd: boolean,
  ): void {
    const missing = without(expected, lettersOf(doc));
    expect(without(missing, removable)).toEqual([]);
    if (!mayAdd) expect(without(lettersOf(doc), expected)).toEqual([]);
  }

  const lettersOfText = (text: string): string[] => text.match(/[a-h@]/g) ?? [];

  function lettersIn(doc: Node, from: number, to: number): string[] {
    const letters: string[] = [];
    doc.nodesBetween(from, to, (node, position) => {
      if (node.type === schema.nodes.image) letters.push('@');
      const text = node.text?.slice(Math.max(0, from - position), to - position) ?? '';
      letters.push(...lettersOfText(text));
    });
    return letters;
  }

  const lettersOf = (doc: Node) => lettersIn(doc, 0, doc.content.size);

  /** Returns the letters of a list that the other list has fewer of. */
  function without(letters: readonly string[], others: readonly string[]): string[] {
    const rest = [...others];
    return letters.filter((letter) => {
      const index = rest.indexOf(letter);
      if (index >= 0) rest.splice(index, 1);
      return index < 0;
    });
  }

  /** Tasks start with a paragraph, and only headings of the original document are in items. */
  function checkItems(doc: Node): void {
    doc.descendants((node) => {
      if (node.type === schema.nodes.list_item && node.attrs['checked'] !== null)
        expect(node.firstChild?.type.name).toBe('paragraph');
    });
  }
});

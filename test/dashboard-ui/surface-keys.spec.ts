import { Keyboard } from './support/surface-keyboard.js';

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

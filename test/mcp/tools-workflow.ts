import type { McpTestClient } from '../support/mcp-client.js';

const TEXT = '# Plan\n\nThis is definately easy.\n\n## Risks\n\nNone.\n\n## Costs\n\nLow.\n';

/** The template that the test has created. */
export const LETTER = {
  name: 'Letter to somebody',
  title: 'Letter',
  content: 'Dear {{name}}, from {{place}}',
  variables: [{ name: 'name', required: true }, { name: 'place' }],
};

/** What a client does with a document, from creating it to applying suggestions. The same for every transport. */
export function worksWithDocuments(connect: () => McpTestClient): void {
  const make = async (fields: object = {}) => {
    const made = await connect().call('create_document', {
      title: 'Plan',
      content: TEXT,
      ...fields,
    });
    return made.document.id as string;
  };

  it('creates, reads and edits with the version it has seen, and explains a refused older one', async () => {
    const mcp = connect();
    const id = await make({ metadata: { tags: ['mcp'] } });
    const read = await mcp.call('read_document', { id });
    expect(read).toMatchObject({ document: { version: 1, title: 'Plan' }, text: TEXT });
    const edits = [
      { op: 'replace', find: 'easy', with: 'hard' },
      { op: 'append', text: 'The end.' },
    ];
    const edited = await mcp.call('edit_document', { id, version: 1, edits });
    expect(edited).toMatchObject({
      document: { version: 2 },
      next: expect.stringContaining('version: 2'),
    });
    expect(await mcp.refusal('edit_document', { id, version: 1, edits })).toMatch(
      /Call read_document again to get version 2/,
    );
    const { text } = await mcp.call('read_document', { id });
    expect(text).toContain('definately hard.');
    expect(text).toContain('The end.');
  });

  it('edits sections and fields together, as one version', async () => {
    const mcp = connect();
    const id = await make();
    await mcp.call('edit_document', {
      id,
      version: 1,
      title: 'Better plan',
      status: 'in_review',
      metadata: { project: 'x' },
      edits: [
        { op: 'replace_section', heading: 'risks', text: 'Many.' },
        { op: 'append_to_section', heading: '## Costs', text: 'And rising.' },
      ],
    });
    const read = await mcp.call('read_document', { id, detail: 'full' });
    expect(read.document).toMatchObject({
      version: 2,
      title: 'Better plan',
      status: 'in_review',
      metadata: { project: 'x' },
    });
    expect(read.text).toBe(
      '# Plan\n\nThis is definately easy.\n\n## Risks\n\nMany.\n\n## Costs\n\nLow.\n\nAnd rising.\n',
    );
    const sections = [{ op: 'replace_section', heading: 'Dangers', text: '' }];
    expect(await mcp.refusal('edit_document', { id, version: 2, edits: sections })).toMatch(
      /no section "Dangers".*"Plan", "Risks", "Costs"/,
    );
    expect(await mcp.refusal('edit_document', { id, version: 1, edits: sections })).toMatch(
      /version 2/,
    );
  });

  it('A client of the MCP tools finds documents by words and by filters', async () => {
    const mcp = connect();
    const id = await make({ content: 'A quixotic undertaking.', metadata: { tags: ['quest'] } });
    let found: any;
    for (let tries = 0; tries < 200 && !(found?.documents.length > 0); tries += 1) {
      found = await mcp.call('search_documents', { query: 'quixotic' });
    }
    expect(found.documents).toEqual([
      expect.objectContaining({ id, highlight: expect.stringContaining('quixotic') }),
    ]);
    const listed = await mcp.call('list_documents', { tags: ['quest'] });
    expect(listed).toMatchObject({ total: 1, documents: [{ id, version: 1 }] });
  });

  it('A client of the MCP tools finds documents by one of several values, and by external ID', async () => {
    const mcp = connect();
    const [one, two] = [await make({ type: 'report' }), await make({ type: 'article' })];
    await make({ type: 'technical' });
    const ids = async (args: object) => {
      const { documents } = await mcp.call('list_documents', { ...args });
      return (documents as { id: string }[]).map(({ id }) => id);
    };
    expect(await ids({ type: ['report', 'article'] })).toEqual([two, one]);
    expect(await ids({ ids: [one], type: 'report', status: ['draft', 'archived'] })).toEqual([one]);
    expect(await ids({ externalId: 'unknown' })).toEqual([]);
  });

  it('copies a document', async () => {
    const mcp = connect();
    const id = await make();
    const { document } = await mcp.call('copy_document', { id, title: 'Second plan' });
    expect(document).toMatchObject({ title: 'Second plan', version: 1 });
    expect((await mcp.call('read_document', { id: document.id })).text).toBe(TEXT);
  });

  it('A client of the MCP tools lists versions, compares them and restores one', async () => {
    const mcp = connect();
    const id = await make();
    const edits = [{ op: 'replace', find: 'easy', with: 'hard' }];
    await mcp.call('edit_document', { id, version: 1, edits });
    const { versions } = await mcp.call('list_versions', { id });
    expect(versions).toMatchObject([{ number: 2, changes: ['content'] }, { number: 1 }]);
    const { diff } = await mcp.call('diff_versions', { id, to: 2 });
    expect(diff).toContain('-This is definately easy.\n+This is definately hard.');
    const restored = await mcp.call('restore_version', { id, number: 1, version: 2 });
    expect(restored.document.version).toBe(3);
    expect((await mcp.call('read_document', { id, atVersion: 2 })).text).toContain('hard');
    expect((await mcp.call('read_document', { id })).text).toBe(TEXT);
  });

  it('A client of the MCP tools creates a document from a template', async () => {
    const mcp = connect();
    const { templates } = await mcp.call('list_templates', { query: 'Letter to' });
    const [{ id, variables }] = templates;
    expect(variables).toEqual(['name (required)', 'place']);
    expect((await mcp.call('read_template', { id })).text).toContain('{{name}}');
    expect(await mcp.refusal('create_document_from_template', { templateId: id })).toMatch(
      /name.*call create_document_from_template again/s,
    );
    const made = await mcp.call('create_document_from_template', {
      templateId: id,
      title: 'Letter',
      variables: { name: 'Ada' },
    });
    const { text } = await mcp.call('read_document', { id: made.document.id });
    expect(text).toContain('Dear Ada');
  });

  it('analyzes, proposes suggestions, and applies them', async () => {
    const mcp = connect();
    const id = await make();
    let analysis: any;
    do analysis = await mcp.call('analyze_document', { id, language: 'en' });
    while (analysis.status !== 'completed');
    expect(analysis.issues).toEqual(
      expect.arrayContaining([expect.objectContaining({ original: 'definately' })]),
    );
    let proposed = await mcp.call('suggest_improvements', { id, language: 'en' });
    while (proposed.status === 'pending') proposed = await mcp.call('list_suggestions', { id });
    const spelling = (proposed.suggestions as any[]).find(
      ({ original }) => original === 'definately',
    );
    expect(spelling.replacements).toContain('definitely');
    const { enhancementId } = proposed;
    const wanted = { id, enhancementId, suggestionIds: [spelling.id], version: 1 };
    const applied = await mcp.call('apply_suggestions', wanted);
    expect(applied).toMatchObject({ version: 2, applied: [spelling.id] });
    expect((await mcp.call('read_document', { id })).text).toContain('This is definitely easy');
  });

  it('deletes a document, and restores it from the trash', async () => {
    const mcp = connect();
    const id = await make();
    await mcp.call('delete_document', { id, version: 1 });
    expect(await mcp.refusal('read_document', { id })).toMatch(/restore_document/);
    await mcp.call('restore_document', { id });
    await mcp.call('read_document', { id });
  });

  it('provides documents and templates as resources', async () => {
    const { client } = connect();
    const id = await make();
    const { resources } = await client.listResources();
    const uri = `document://${id}`;
    expect(resources).toContainEqual(expect.objectContaining({ uri, mimeType: 'text/markdown' }));
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([
      expect.objectContaining({ uri, text: TEXT, mimeType: 'text/markdown' }),
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    const uris = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(uris).toEqual(['document://{id}', 'template://{id}']);
    const gone = uri.slice(0, -2) + 'zz';
    await expect(client.readResource({ uri: gone })).rejects.toMatchObject({ code: -32_002 });
  });
}

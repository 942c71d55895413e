import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** A client of the Model Context Protocol, in the product's words. */
export class McpTestClient {
  readonly client = new Client({ name: 'test', version: '1.0.0' });

  static async connect(transport: Transport): Promise<McpTestClient> {
    const connected = new McpTestClient();
    await connected.client.connect(transport);
    // So that answers are checked against the tools' own schemas.
    await connected.client.listTools();
    return connected;
  }

  /** What a tool answers; fails with its words when it refuses. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const result = await this.ask(name, args);
    if (result.isError) throw new Error(textOf(result));
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    return result.structuredContent;
  }

  /** What a tool says when it refuses; fails when it does not. */
  async refusal(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const result = await this.ask(name, args);
    if (!result.isError) throw new Error(`It was done: ${textOf(result)}`);
    return textOf(result);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async ask(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: args })) as CallToolResult;
  }
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

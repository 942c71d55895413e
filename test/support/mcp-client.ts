import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** A Model Context Protocol client for tests. */
export class McpTestClient {
  readonly client = new Client({ name: 'test', version: '1.0.0' });

  static async connect(transport: Transport): Promise<McpTestClient> {
    const connected = new McpTestClient();
    await connected.client.connect(transport);
    // Makes the client check results against the tools' schemas.
    await connected.client.listTools();
    return connected;
  }

  /** Returns the result of a tool. Fails with the tool's message if it refuses. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const result = await this.ask(name, args);
    if (result.isError) throw new Error(textOf(result));
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    return result.structuredContent;
  }

  /** Returns the message of a tool that refuses. Fails if it does not refuse. */
  async refusal(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const result = await this.ask(name, args);
    if (!result.isError) throw new Error(`The tool did not refuse: ${textOf(result)}`);
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

/** As far as it is needed here. */
interface Completion {
  choices?: { message?: { content?: unknown }; finish_reason?: unknown }[];
}

/**
 * Some servers answer in one piece although they were asked for a stream: that becomes a stream of one piece. Any other
 * answer stays as it is.
 */
export async function streamOfPlainAnswer(answer: Response): Promise<Response> {
  const isJson = /^application\/json\b/i.test(answer.headers.get('content-type') ?? '');
  if (!answer.ok || !isJson) return answer;
  const text = await answer.text();
  let completion: unknown;
  try {
    completion = JSON.parse(text);
  } catch {
    completion = undefined;
  }
  // What is no completion is told as the SDK tells a piece that it does not understand.
  const pieces = completion === undefined ? [] : [asPiece(completion as Completion)];
  const stream = [...pieces.map((piece) => JSON.stringify(piece)), '[DONE]'];
  return new Response(stream.map((piece) => `data: ${piece}\n\n`).join(''), {
    status: answer.status,
    headers: { 'content-type': 'text/event-stream' },
  });
}

function asPiece(completion: Completion): unknown {
  if (!Array.isArray(completion.choices)) return completion;
  const choices = completion.choices.map(({ message, ...choice }, index) => ({
    index,
    delta: { role: 'assistant', content: message?.content ?? '' },
    finish_reason: choice.finish_reason ?? 'stop',
  }));
  return { ...completion, object: 'chat.completion.chunk', choices };
}

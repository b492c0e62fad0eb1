// Starts `divulge lsp` for models, and shows what it cannot show by itself: explanations of codes, and answers at length.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

interface Told {
  verdict: string;
  headline: string;
  words: string;
}

let client: LanguageClient | undefined;

function program(): string {
  return vscode.workspace.getConfiguration("divulge").get<string>("path") || "divulge";
}

function isTold(value: unknown): value is Told {
  return typeof value === "object" && value !== null && "verdict" in value && "words" in value;
}

async function start(answers: vscode.OutputChannel): Promise<void> {
  const server: ServerOptions = { command: program(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "divulge" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.divulge") },
    middleware: {
      executeCommand: async (command, args, next) => {
        const told: unknown = await next(command, args);
        if (isTold(told)) {
          answers.appendLine(`${new Date().toLocaleTimeString()}\n${told.words}`);
          answers.show(true);
        }
        return told;
      },
    },
  };
  client = new LanguageClient("divulge", "divulge", server, options);
  try {
    await client.start();
  } catch (error) {
    const settings = "Open settings";
    const pressed = await vscode.window.showErrorMessage(
      `divulge could not be started as \`${program()} lsp\`: ${String(error)}`,
      settings,
    );
    if (pressed === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "divulge.path");
    }
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop().catch(() => undefined);
}

/** What `divulge explain CODE` prints, for the links of diagnostics. */
const explanations: vscode.TextDocumentContentProvider = {
  provideTextDocumentContent: (uri) =>
    new Promise((resolve) => {
      execFile(program(), ["explain", uri.path], (error, output) => resolve(error ? String(error) : output));
    }),
};

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const answers = vscode.window.createOutputChannel("divulge: answers");
  context.subscriptions.push(
    answers,
    vscode.workspace.registerTextDocumentContentProvider("divulge-explain", explanations),
    vscode.commands.registerCommand("divulge.answers", () => answers.show()),
    vscode.commands.registerCommand("divulge.restart", async () => {
      await stop();
      await start(answers);
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("divulge.path")) {
        await stop();
        await start(answers);
      }
    }),
  );
  await start(answers);
}

export async function deactivate(): Promise<void> {
  await stop();
}

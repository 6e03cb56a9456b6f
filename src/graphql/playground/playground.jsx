/**
 * The script of the playground page, composed of GraphiQL's editors and documentation: a list of examples, the query
 * with its variables and headers, the response, and the schema. See docs/graphql.md#playground-and-introspection.
 */
import { DocExplorer, DocExplorerStore } from '@graphiql/plugin-doc-explorer'
import {
  GraphiQLProvider,
  HeaderEditor,
  QueryEditor,
  ResponseEditor,
  Tooltip,
  useGraphiQL,
  useGraphiQLActions,
  useMonaco,
  useOperationsEditorState,
  VariableEditor,
} from '@graphiql/react'
import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { parse } from 'graphql'
import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import '@graphiql/react/style.css'
import '@graphiql/plugin-doc-explorer/style.css'
import './playground.css'

const { credentials, groups, resetUrl, workers } = JSON.parse(document.getElementById('settings').textContent)
const examples = groups.flatMap((group) => group.examples)
const REPEAT_MS = 1_000

globalThis.MonacoEnvironment = {
  getWorker: (_id, label) => new Worker(workers[label] ?? workers.editor),
}

const pretty = (value) => JSON.stringify(value, null, 2)

/** Only these are stored: headers contain secrets, and there are no tabs. */
const STORED = ['graphiql:query', 'graphiql:variables', 'graphiql:theme']
const { localStorage } = window
const storage = {
  getItem: (key) => (STORED.includes(key) ? localStorage.getItem(key) : null),
  setItem: (key, value) => {
    if (STORED.includes(key)) localStorage.setItem(key, value)
  },
  removeItem: (key) => localStorage.removeItem(key),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length
  },
}

/** The query and variables of a link: `?query=…&variables=…`, or the same after `#`. */
function linked() {
  for (const text of [window.location.hash.slice(1), window.location.search]) {
    const parameters = new URLSearchParams(text)
    const query = parameters.get('query')
    if (query !== null) return { query, variables: prettyText(parameters.get('variables') ?? '') }
  }
}

function prettyText(json) {
  try {
    return pretty(JSON.parse(json))
  } catch {
    return json
  }
}

/** The page never runs it: a link can contain a mutation. */
function initialText() {
  const stored = localStorage.getItem('graphiql:query')
  const [first] = examples
  return (
    linked() ??
    (stored
      ? {
          query: stored,
          // Variables are stored when they change, so these are still those of the first example.
          variables: localStorage.getItem('graphiql:variables') ?? pretty(first.variables),
        }
      : { query: first.query, variables: pretty(first.variables) })
  )
}

/** Replaces the text of an editor. Undo brings the old text back. */
function replaceText(editor, text) {
  const model = editor.getModel()
  model.pushStackElement()
  model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null)
  model.pushStackElement()
  editor.setPosition({ lineNumber: 1, column: 1 })
  editor.setScrollTop(0)
}

function factsOf(query) {
  try {
    const documentAST = parse(query)
    const operations = documentAST.definitions.filter(({ kind }) => kind === 'OperationDefinition')
    return { documentAST, operations, operationName: operations[0]?.name?.value }
  } catch {
    return {}
  }
}

/** Returns a function that shows a query with its variables, and clears the response. */
function useShow() {
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL((state) => state)
  const { stop, setOperationFacts } = useGraphiQLActions()
  return ({ query, variables }) => {
    stop()
    // GraphiQL parses a new text only after some time, and would run the operation of the old one until then.
    setOperationFacts(factsOf(query))
    replaceText(queryEditor, query)
    replaceText(variableEditor, variables)
    responseEditor.setValue('')
  }
}

function Examples() {
  const show = useShow()
  const [query] = useOperationsEditorState()
  const current = examples.find((example) => example.query === query)
  const select = (example) => show({ query: example.query, variables: pretty(example.variables) })
  return (
    <nav className="examples" aria-label="Examples">
      <h2>Examples</h2>
      {groups.map(({ title, examples }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul>
            {examples.map((example) => (
              <li key={example.name}>
                <button
                  type="button"
                  aria-current={example === current ? 'true' : undefined}
                  onClick={() => select(example)}
                >
                  {example.name}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <label>
        Example
        <select
          value={current?.name ?? ''}
          onChange={({ target }) => select(examples.find(({ name }) => name === target.value))}
        >
          <option value="" disabled>
            Your own query
          </option>
          {groups.map(({ title, examples }) => (
            <optgroup key={title} label={title}>
              {examples.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
    </nav>
  )
}

/** The buttons between query and response. */
function Toolbar({ onRun }) {
  const { run, stop, prettifyEditors, setOperationName } = useGraphiQLActions()
  const { isFetching, operations = [], operationName } = useGraphiQL((state) => state)
  const start = () => {
    run()
    onRun()
  }
  return (
    <div className="toolbar">
      <button
        type="button"
        className="run"
        onClick={isFetching ? stop : start}
        title="Ctrl+Enter in an editor"
      >
        {isFetching ? 'Stop' : 'Run'}
      </button>
      {operations.length > 1 && (
        <select
          aria-label="Operation"
          value={operationName ?? ''}
          onChange={({ target }) => setOperationName(target.value)}
        >
          {operations.map(({ name }) => (
            <option key={name?.value}>{name?.value}</option>
          ))}
        </select>
      )}
      <Repeat />
      <button type="button" onClick={prettifyEditors}>
        Format
      </button>
      <CopyLink />
    </div>
  )
}

/** Runs the query every second, as long as the box is checked, so that a change of state is seen. */
function Repeat() {
  const { run } = useGraphiQLActions()
  const { isFetching, queryEditor } = useGraphiQL((state) => state)
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (!isOn || isFetching) return
    const timer = setTimeout(run, REPEAT_MS)
    return () => clearTimeout(timer)
  }, [isOn, isFetching, run])
  // A new text is not run without the user's decision.
  useEffect(() => queryEditor?.onDidChangeModelContent(() => setOn(false)).dispose, [queryEditor])
  return (
    <label className="repeat">
      <input type="checkbox" checked={isOn} onChange={({ target }) => setOn(target.checked)} />
      Repeat
    </label>
  )
}

/** The link has the query after `#`, which browsers do not send to servers. */
function CopyLink() {
  const { queryEditor, variableEditor } = useGraphiQL((state) => state)
  const [note, setNote] = useState('')
  const copy = async () => {
    const parameters = new URLSearchParams({ query: queryEditor.getValue() })
    const variables = variableEditor.getValue().trim()
    if (variables !== '') parameters.set('variables', variables)
    const { origin, pathname } = window.location
    try {
      await navigator.clipboard.writeText(`${origin}${pathname}#${parameters}`)
      setNote('Copied')
    } catch {
      setNote('The browser does not allow copying')
    }
  }
  return (
    <>
      <button type="button" onClick={copy}>
        Copy link
      </button>
      <span role="status">{note}</span>
    </>
  )
}

/** Restores the demo data after a question. `showModal` keeps the focus in the dialog, and Escape closes it. */
function ResetDemo() {
  const dialog = useRef(null)
  const [note, setNote] = useState('')
  const [isRunning, setRunning] = useState(false)
  const reset = async () => {
    setRunning(true)
    try {
      const { ok, status } = await fetch(resetUrl, { method: 'POST', headers: { 'X-PP-API': credentials } })
      setNote(ok ? 'The demo is reset' : `The demo was not reset (status ${status})`)
    } catch {
      setNote('The demo was not reset: the service cannot be reached')
    }
    setRunning(false)
    dialog.current.close()
  }
  const ask = () => {
    setNote('')
    dialog.current.showModal()
  }
  return (
    <>
      <button type="button" onClick={ask}>
        Reset demo
      </button>
      <span role="status">{note}</span>
      <dialog ref={dialog} aria-labelledby="reset-title" aria-describedby="reset-text">
        <h2 id="reset-title">Reset the demo?</h2>
        <p id="reset-text">
          All shipments of the demo accounts are removed, and the demo shipments and prices are restored.
        </p>
        <button type="button" disabled={isRunning} onClick={() => dialog.current.close()}>
          Cancel
        </button>
        <button type="button" disabled={isRunning} onClick={reset}>
          Reset
        </button>
      </dialog>
    </>
  )
}

/** Like GraphiQL's themes, with more contrast. */
function defineThemes(monaco) {
  const define = (name, base, { comment, lineNumber }) =>
    monaco.editor.defineTheme(name, {
      base,
      inherit: true,
      rules: [{ token: 'comment', foreground: comment }],
      colors: {
        'editor.background': '#00000000',
        'editorLineNumber.foreground': lineNumber,
        'editorLineNumber.dimmedForeground': lineNumber,
      },
    })
  define('waybill-light', 'vs', { comment: '#3d6b35', lineNumber: '#52606d' })
  define('waybill-dark', 'vs-dark', { comment: '#9ccb86', lineNumber: '#b7c2cc' })
}

/** Sets what GraphiQL's editors have no properties for. Their Tab key moves the focus on. */
function useEditorOptions() {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useGraphiQL((state) => state)
  useEffect(() => {
    const editors = {
      Query: queryEditor,
      Variables: variableEditor,
      Headers: headerEditor,
      Response: responseEditor,
    }
    for (const [ariaLabel, editor] of Object.entries(editors))
      editor?.updateOptions({
        ariaLabel,
        tabIndex: 0,
        fontFamily: 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
        fontSize: 14,
        wordWrap: 'on',
        // The formulas of prices contain "×".
        unicodeHighlight: { ambiguousCharacters: false },
      })
  }, [queryEditor, variableEditor, headerEditor, responseEditor])
  // A mode of all editors.
  useEffect(() => queryEditor?.trigger('playground', 'editor.action.toggleTabFocusMode'), [queryEditor])
}

function Schema({ onClose }) {
  const { introspect } = useGraphiQLActions()
  const hasFailed = useGraphiQL((state) => state.fetchError !== null)
  const closeButton = useRef(null)
  useEffect(() => closeButton.current.focus(), [])
  useEffect(() => {
    // In an editor, the key closes the list of completions.
    const close = ({ key, target }) => {
      if (key === 'Escape' && target.closest('.monaco-editor') === null) onClose()
    }
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [onClose])
  return (
    <aside id="schema" aria-label="Schema">
      <div className="bar">
        <button ref={closeButton} type="button" onClick={onClose}>
          Close
        </button>
        {hasFailed && (
          <button type="button" onClick={introspect}>
            Load again
          </button>
        )}
      </div>
      <DocExplorer />
    </aside>
  )
}

function ThemeSelect() {
  const { setTheme } = useGraphiQLActions()
  const theme = useGraphiQL((state) => state.theme)
  return (
    <label>
      Theme{' '}
      <select value={theme ?? 'system'} onChange={({ target }) => setTheme(themeOf(target.value))}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}

const themeOf = (name) => (name === 'system' ? null : name)

function Layout() {
  const monaco = useMonaco((state) => state.monaco)
  const [isSchemaOpen, setSchemaOpen] = useState(false)
  const schemaButton = useRef(null)
  const response = useRef(null)
  const show = useShow()
  useEditorOptions()
  const { setTheme } = useGraphiQLActions()
  const { theme, queryEditor } = useGraphiQL((state) => state)
  useEffect(() => {
    if (monaco === undefined) return
    defineThemes(monaco)
    setTheme(theme)
  }, [monaco, theme, setTheme])
  useEffect(() => {
    const follow = () => {
      const text = linked()
      if (text !== undefined) show(text)
    }
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  })
  if (monaco === undefined) return <p className="loading">Loading the editor</p>
  return (
    <div className="graphiql-container">
      <button type="button" className="skip" onClick={() => queryEditor.focus()}>
        Skip to the query
      </button>
      <Examples />
      <section className="editors" aria-label="Request">
        <div className="bar">
          <button
            ref={schemaButton}
            type="button"
            aria-expanded={isSchemaOpen}
            aria-controls="schema"
            onClick={() => setSchemaOpen(!isSchemaOpen)}
          >
            Schema
          </button>
          {resetUrl !== undefined && <ResetDemo />}
          <ThemeSelect />
        </div>
        <div className="query">
          <QueryEditor tabIndex={-1} onClickReference={() => setSchemaOpen(true)} />
        </div>
        <Toolbar onRun={() => response.current.scrollIntoView({ block: 'nearest' })} />
        <details open>
          <summary>Variables</summary>
          <div className="small-editor">
            <VariableEditor tabIndex={-1} />
          </div>
        </details>
        <details>
          <summary>Headers</summary>
          <div className="small-editor">
            <HeaderEditor tabIndex={-1} />
          </div>
        </details>
      </section>
      <section className="response" aria-label="Response" ref={response}>
        <h2>Response</h2>
        <div>
          <ResponseEditor tabIndex={-1} />
        </div>
      </section>
      {isSchemaOpen && (
        <Schema
          onClose={() => {
            setSchemaOpen(false)
            schemaButton.current.focus()
          }}
        />
      )}
    </div>
  )
}

const { query, variables } = initialText()
const headers = pretty({ 'X-PP-API': credentials })
const send = createGraphiQLFetcher({ url: window.location.pathname })
/** GraphiQL asks for the schema before the editor of the headers exists. */
const fetcher = (request, options) => send(request, { headers: JSON.parse(headers), ...options })
createRoot(document.getElementById('playground')).render(
  <GraphiQLProvider
    storage={storage}
    fetcher={fetcher}
    initialQuery={query}
    initialVariables={variables}
    initialHeaders={headers}
    shouldPersistHeaders={false}
    editorTheme={{ light: 'waybill-light', dark: 'waybill-dark' }}
    schemaDescription
  >
    <DocExplorerStore>
      <Tooltip.Provider>
        <Layout />
      </Tooltip.Provider>
    </DocExplorerStore>
  </GraphiQLProvider>,
)

/** What the pages do in a browser: copy code, open the navigation on small screens, and search. */
import MiniSearch from 'minisearch'

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre').innerText)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1_500)
  })
  block.append(button)
}

const menu = document.querySelector('.menu')
menu.addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('open')
  menu.setAttribute('aria-expanded', String(isOpen))
})
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' })

const MAX_RESULTS = 12
const { root } = document.body.dataset
const input = document.querySelector('input[type=search]')
const results = document.getElementById('results')
let index

/** Loads the sections of all pages when the search is used for the first time. */
async function loadIndex() {
  const response = await fetch(`${root}/search.json`)
  const sections = await response.json()
  const search = new MiniSearch({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'url'],
    searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  search.addAll(sections.map((section, id) => ({ id, ...section })))
  return search
}

async function showResults() {
  const query = input.value.trim()
  index ??= loadIndex()
  const search = await index
  // The text may have changed meanwhile.
  if (query !== input.value.trim()) return
  const found = query === '' ? [] : search.search(query).slice(0, MAX_RESULTS)
  const links = found.map(({ title, page, url }) => {
    const link = document.createElement('a')
    link.href = `${root}/${url}`
    const name = document.createElement('b')
    name.textContent = title
    link.append(name)
    if (page !== title) link.append(document.createElement('br'), page)
    return link
  })
  results.replaceChildren(...(links.length > 0 || query === '' ? links : ['Nothing found']))
  results.hidden = query === ''
}

input.addEventListener('input', showResults)
input.addEventListener('focus', showResults)
document.addEventListener('keydown', (event) => {
  const isTyping = /^(input|textarea|select)$/i.test(event.target.tagName)
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    input.focus()
  }
  if (event.key === 'Escape') results.hidden = true
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const places = [input, ...results.querySelectorAll('a')]
  const from = places.indexOf(document.activeElement)
  if (from < 0 || results.hidden) return
  event.preventDefault()
  places[(from + (event.key === 'ArrowDown' ? 1 : places.length - 1)) % places.length].focus()
})
document.addEventListener('click', (event) => {
  if (!event.target.closest('search')) results.hidden = true
})

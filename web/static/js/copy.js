// The buttons beside the examples of the reference: each copies the text before
// it, and a request as a command for this server. Without a script they stay hidden.

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** curl is the command for a request, written as a method and a path. */
function curl(request) {
  const [method, path] = request.split(" ");
  const other = method === "GET" ? "" : `-X ${method} `;
  return `curl -s ${other}${quoted(location.origin + path)}`;
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  const { textContent: label } = button;
  const { textContent: text } = button.previousElementSibling;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy === "curl" ? curl(text) : text).then(
      () => (button.textContent = "Copied"),
      () => (button.textContent = "Select and copy"),
    );
    setTimeout(() => (button.textContent = label), 1500);
  });
}

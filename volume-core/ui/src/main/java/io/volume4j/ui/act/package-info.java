/** What operators do from the view: what each action means in words, tickets that confirm it, and the audit log. */
@NullMarked
package io.volume4j.ui.act;

import org.jspecify.annotations.NullMarked;

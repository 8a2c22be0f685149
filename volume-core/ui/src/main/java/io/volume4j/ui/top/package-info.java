/** The live view in a terminal: pure functions from a summary to lines of text. */
@NullMarked
package io.volume4j.ui.top;

import org.jspecify.annotations.NullMarked;

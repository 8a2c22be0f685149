/** The actions of operators in the view: their descriptions, the tickets that confirm them, and the audit log. */
@NullMarked
package io.volume4j.ui.act;

import org.jspecify.annotations.NullMarked;

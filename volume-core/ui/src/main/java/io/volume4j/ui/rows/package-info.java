/**
 * The volumes and objects that the live view knows, one row each, with search. Pure data and one table; depends on the core's public
 * readings only.
 */
@NullMarked
package io.volume4j.ui.rows;

import org.jspecify.annotations.NullMarked;

/**
 * The volumes and objects of the live view, one row each, with search. Pure data and one table; depends only on the core's public
 * readings.
 */
@NullMarked
package io.volume4j.ui.rows;

import org.jspecify.annotations.NullMarked;

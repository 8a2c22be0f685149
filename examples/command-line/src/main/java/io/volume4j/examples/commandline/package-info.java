/**
 * How the programs among the examples read their command lines: picocli describes and reads them; this package adds what all of
 * them have in common. Depends on nothing of volume4j.
 */
@NullMarked
package io.volume4j.examples.commandline;

import org.jspecify.annotations.NullMarked;

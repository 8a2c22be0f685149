/** The configuration of the program's log. */
@NullMarked
package io.volume4j.examples.agent.log;

import org.jspecify.annotations.NullMarked;

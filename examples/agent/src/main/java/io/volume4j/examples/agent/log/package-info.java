/** Where the program's log goes. */
@NullMarked
package io.volume4j.examples.agent.log;

import org.jspecify.annotations.NullMarked;

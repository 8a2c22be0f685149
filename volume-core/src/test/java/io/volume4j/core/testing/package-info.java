/** What the tests of several packages share. Depends on no package of the library. */
package io.volume4j.core.testing;

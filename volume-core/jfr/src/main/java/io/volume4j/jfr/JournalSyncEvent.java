package io.volume4j.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A sync. */
@Name("io.volume4j.JournalSync")
@Label("Journal sync")
@Description("A group of records is made durable")
@Category("volume4j")
@Enabled(false)
@StackTrace(false)
final class JournalSyncEvent extends Event {}

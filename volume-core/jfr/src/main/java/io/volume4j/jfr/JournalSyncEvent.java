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
@Description("The journal writes a group of records durably")
@Category("volume4j")
@Enabled(false)
@StackTrace(false)
final class JournalSyncEvent extends Event {}

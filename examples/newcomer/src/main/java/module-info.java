/** What a project with modules writes; on the class path it is ignored. */
module io.volume4j.examples.newcomer {
    requires io.volume4j.core;
    requires com.sun.jna;
}

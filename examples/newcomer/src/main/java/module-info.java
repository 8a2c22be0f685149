/** What a project with modules writes; on the class path it is ignored. */
module io.volume4j.examples.newcomer {
    requires io.volume4j.core;
    requires io.volume4j.inmemory;
    requires com.sun.jna;
}

import org.jspecify.annotations.NullMarked;

/** For the user's tests, and ours: everything a host gives, in memory and with scripted faults. */
@NullMarked
module io.volume4j.inmemory {
    requires static transitive org.jspecify;
    requires transitive io.volume4j.core;
    requires com.fasterxml.jackson.databind;
    requires org.slf4j;
    requires org.yaml.snakeyaml;
    requires static org.junit.jupiter.api;

    exports io.volume4j.inmemory.cluster;
    exports io.volume4j.inmemory.contract;
    exports io.volume4j.inmemory.fault;
    exports io.volume4j.inmemory.host;
    exports io.volume4j.inmemory.mount;
    exports io.volume4j.inmemory.oracle;
    exports io.volume4j.inmemory.plugin;
    exports io.volume4j.inmemory.scenario;
    exports io.volume4j.inmemory.show;
    exports io.volume4j.inmemory.sim;

    // JUnit calls the tests that extending classes inherit.
    opens io.volume4j.inmemory.contract;
}

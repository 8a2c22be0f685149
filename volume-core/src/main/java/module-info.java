import org.jspecify.annotations.NullMarked;

/** The machine: engine, worlds, planners, operation executor, journal, controllers, Linux mount backend. */
@NullMarked
module io.volume4j.core {
    requires static transitive org.jspecify;
    requires transitive io.volume4j.spi;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires com.google.common;
    requires static com.google.errorprone.annotations;
    requires static com.sun.jna;
    requires org.slf4j;
    requires org.yaml.snakeyaml;

    exports io.volume4j.core;
    exports io.volume4j.core.codec;
    exports io.volume4j.core.control;
    exports io.volume4j.core.csinode;
    exports io.volume4j.core.events;
    exports io.volume4j.core.explain;
    exports io.volume4j.core.lease;
    exports io.volume4j.core.linux;
    exports io.volume4j.core.migration;
    exports io.volume4j.core.observe;
    exports io.volume4j.core.plugins;
    exports io.volume4j.core.volumes;
    exports io.volume4j.core.worlds;
    exports io.volume4j.core.assembly to
            io.volume4j.inmemory;
    exports io.volume4j.core.engine to
            io.volume4j.inmemory;
    exports io.volume4j.core.node to
            io.volume4j.inmemory;
    exports io.volume4j.core.journal to
            io.volume4j.inmemory;
    exports io.volume4j.core.redact to
            io.volume4j.csi;

    uses io.volume4j.spi.plugin.VolumePlugin;
}

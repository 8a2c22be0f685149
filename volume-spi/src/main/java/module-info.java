import org.jspecify.annotations.NullMarked;

/** The words of volume4j: model records, the plugin SPI, what a host gives, classified errors. */
@NullMarked
module io.volume4j.spi {
    requires static transitive org.jspecify;

    exports io.volume4j.spi;
    exports io.volume4j.spi.host;
    exports io.volume4j.spi.model;
    exports io.volume4j.spi.mount;
    exports io.volume4j.spi.plugin;
}

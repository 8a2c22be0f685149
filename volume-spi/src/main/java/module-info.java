import org.jspecify.annotations.NullMarked;

/** The words of volume4j: model records, the plugin SPI, what a host gives, classified errors. */
@NullMarked
module io.volume4j.spi {
    requires static transitive org.jspecify;
}

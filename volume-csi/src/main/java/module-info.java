import org.jspecify.annotations.NullMarked;

/** CSI for the orchestrator side. */
@NullMarked
module io.volume4j.csi {
    requires static transitive org.jspecify;
    requires transitive io.volume4j.spi;
    requires org.slf4j;
}

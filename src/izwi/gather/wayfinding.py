"""How sites write "next", "back" and "load more", in the languages izwi met so far."""

# Older is next: archives begin with the newest.
_NEXT = """next older volgende ouer oudere weiter nächste ältere suivant suivante suivants siguiente
siguientes antiguos próxima próximo seguinte successiva successivo avanti następna następne starsze
následující další starší ďalšia következő régebbi înainte următoarea sljedeća starije следващ
следующая далее наступна επόμενη sonraki التالي הבא अगला 次へ 次 下一页 下一頁 다음 okulandelayo
elandelayo landelayo elilandelayo latelang neste eldre nästa äldre næste ældre seuraava vanhemmat
järgmine nākamā kitas hurrengoa següent ijayo inayofuata tiếp berikutnya selanjutnya"""
_BACK = """previous prev newer vorige nuwer nuwere zurück neuere précédent précédente anterior
anteriores nuevos precedente poprzednia nowsze předchozí novější előző újabb предыдущая önceki
forrige föregående edellinen back first last laaste eerste letzte erste dernière première última
último primera ultima prima utolsó első"""
# Words of a button that brings more of the same; each line is one button's beginning.
_MORE = """load more
show more
more comments
more articles
more stories
more posts
view more
see more
read more comments
all comments
show all
older comments
laai meer
wys meer
meer kommentaar
meer stories
laad meer
toon meer
meer laden
mehr laden
mehr anzeigen
weitere anzeigen
weitere laden
alle kommentare
voir plus
afficher plus
charger plus
plus de commentaires
cargar más
ver más
mostrar más
más comentarios
carregar mais
ver mais
mostrar mais
carica altri
mostra altri
mostra di più
pokaż więcej
załaduj więcej
więcej komentarzy
načíst další
zobrazit více
továbbiak betöltése
több megjelenítése
további hozzászólások
mai multe
показать ещё
показать еще
загрузить ещё
больше комментариев
показати більше
περισσότερα
daha fazla
تحميل المزيد
もっと見る
さらに表示
加载更多
查看更多
載入更多
더 보기
bonisa okuningi
layisha okunye
okuningi
bontsha tse ding
tse ding
last inn mer
vis flere
visa mer
vis mere
näytä lisää"""

NEXT_WORDS = frozenset(_NEXT.split())
BACK_WORDS = frozenset(_BACK.split())
MORE_WORDS = tuple(_MORE.splitlines())
